// WireCodec
