internal import Console
package import RPCRuntime

/// Who a load process is: the operator, by a token in its environment.
package enum LoadToken {
  package static var metadata: Metadata {
    guard let token = Environment()["TRACKME_OPERATOR_TOKEN"] else { return [:] }
    return ["authorization": "Bearer \(token)"]
  }
}
