/// Is told what stands in an XML file. An error that it throws ends the reading.
protocol XMLHandler: AnyObject {
  func start(_ element: XMLElement) throws(TableError)
  func end(_ name: XMLName) throws(TableError)
  /// A piece of the text within an element.
  func text(_ bytes: UnsafeRawBufferPointer) throws(TableError)
}

extension XMLHandler {
  func end(_ name: XMLName) throws(TableError) {}
  func text(_ bytes: UnsafeRawBufferPointer) throws(TableError) {}
}
