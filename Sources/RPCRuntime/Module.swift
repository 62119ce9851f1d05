// RPCRuntime
