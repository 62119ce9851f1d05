package import OpenIDConnect

/// An issuer at which people sign in from the pages.
package struct OpenIDSite: Sendable {
  let provider: OpenIDProvider
  /// What people know the issuer by.
  let name: String
  /// Where the issuer sends browsers back to.
  let returnAddress: String

  /// - Parameter origin: where browsers find the pages, "https://trackme.example".
  package init(_ provider: OpenIDProvider, name: String, origin: String) {
    self.provider = provider
    self.name = name
    returnAddress = origin + OpenIDRoutes.returnPath
  }
}
