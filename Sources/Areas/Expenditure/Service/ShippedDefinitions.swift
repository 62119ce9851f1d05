/// Definitions of the main voices, as the product explains them; administrators may write others in their place.
enum ShippedDefinitions {
  /// - Returns: two empty texts where there is none.
  static func of(_ code: String) -> (italian: String, english: String) { texts[code] ?? ("", "") }

  private static let texts: [String: (italian: String, english: String)] = [
    "BZ9999": (
      """
      Tutti i costi che servono a far funzionare il servizio sanitario in un anno: beni, servizi, personale, \
      ammortamenti, accantonamenti e altri oneri di gestione. Non comprende interessi, partite straordinarie e \
      imposte. È il totale B del conto economico, ed è il totale di cui questa applicazione calcola le quote.
      """,
      """
      Everything that it costs to run the health service for a year: goods, services, staff, depreciation, provisions \
      and other running costs. Interest, extraordinary items and taxes are not in it. It is the total B of the income \
      statement, and the total that shares are calculated of here.
      """
    ),
    "BA0390": (
      """
      Ciò che il servizio sanitario compra da altri invece di produrlo da sé: medicina di base, farmaceutica \
      convenzionata, prestazioni di ospedali e ambulatori privati accreditati, cure in altre regioni, ma anche servizi \
      non sanitari come pulizie, mense e utenze. Nel conto di una regione gli acquisti fra le sue aziende sono tolti.
      """,
      """
      What the health service buys from others instead of producing it itself: general practitioners, medicines from \
      pharmacies, care by accredited private hospitals and clinics, care in other regions, and also services that are \
      not medical, such as cleaning, meals and utilities. In a region's account purchases between its own bodies are \
      taken out.
      """
    ),
    "BA1350": (
      """
      Lavoro sanitario e sociosanitario di chi non è dipendente: consulenze, collaborazioni, lavoro interinale, \
      prestazioni aggiuntive e personale comandato da altri enti. È una parte degli acquisti di servizi, non del costo \
      del personale.
      """,
      """
      Medical and social care work of people who are not employees: consultancy, freelance work, agency staff, extra \
      shifts, and staff on loan from other bodies. It is a part of purchases of services, not of staff costs.
      """
    ),
    "BA1750": (
      """
      Lavoro non sanitario di chi non è dipendente: consulenze tecniche, amministrative e legali, collaborazioni e \
      lavoro interinale. È una parte degli acquisti di servizi, non del costo del personale.
      """,
      """
      Work that is not medical, of people who are not employees: technical, administrative and legal consultancy, \
      freelance work and agency staff. It is a part of purchases of services, not of staff costs.
      """
    ),
    "BA2080": (
      """
      Stipendi e contributi dei dipendenti del servizio sanitario, dei ruoli sanitario, professionale, tecnico e \
      amministrativo (voci da B.5 a B.8). Medici di base e personale interinale non sono dipendenti, e non sono qui.
      """,
      """
      Salaries and contributions of the employees of the health service: medical, professional, technical and \
      administrative staff (voices B.5 to B.8). General practitioners and agency staff are not employees, and not here.
      """
    ),
  ]
}
