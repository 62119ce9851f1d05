/// Who publishes figures, and under which licence.
package struct FigureSource: Sendable, Hashable {
  package let name: String
  package let licence: String
  /// May be empty.
  package let uri: String

  package init(name: String, licence: String, uri: String) {
    self.name = name
    self.licence = licence
    self.uri = uri
  }

  /// The publisher that a form is known by.
  package static func publisher(of form: FileForm) -> FigureSource {
    switch form {
    case .national: rgs("SSN_CCE_NAZ_VOCCN_001")
    case .regional: rgs("SSN_CCE_REG_VOCCN_001")
    case .bodies: rgs("spd_ssn_cce_elb_voccn_01")
    case .mobility: rgs("voices \"Extraregione\"")
    case .residents: FigureSource(name: "ISTAT, residents", licence: "CC BY 4.0", uri: "https://demo.istat.it/")
    case .prices:
      FigureSource(
        name: "World Bank, consumer prices, annual change (FP.CPI.TOTL.ZG)", licence: "CC BY 4.0",
        uri: "https://data.worldbank.org/indicator/FP.CPI.TOTL.ZG?locations=IT")
    }
  }

  private static func rgs(_ dataSet: String) -> FigureSource {
    FigureSource(
      name: "RGS-MEF OpenBDAP, \(dataSet)", licence: "CC BY 3.0", uri: "https://bdap-opendata.rgs.mef.gov.it/")
  }
}
