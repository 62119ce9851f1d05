/// The tutorial as it ships; administrators may write other texts in its place.
enum ShippedTutorial {
  struct Step: Sendable {
    /// What it points at.
    let control: String
    let italian: String
    let english: String
  }

  /// What a step is called in the table of texts.
  static func subject(_ number: Int) -> String { "step \(number)" }

  static let steps = [
    Step(
      control: "map",
      italian: """
        Questa è la mappa della spesa sanitaria. Ogni regione ha il colore del suo valore: più si stacca dallo sfondo, più è alto. \
        Spostala e ingrandiscila con il mouse, con le dita o con i tasti freccia, + e −.
        """,
      english: """
        This is the map of health expenditure. Each region has the colour of its value: the farther from the background, the higher. Move \
        and zoom it with the mouse, with your fingers, or with the arrow keys, + and −.
        """),
    Step(
      control: "legend",
      italian: """
        La legenda dice quali valori ha ogni colore e quante regioni vi cadono. Scegli una classe per metterla in \
        evidenza. Il tratteggio vuol dire che il dato manca: il motivo è scritto nell'elenco.
        """,
      english: """
        The legend says which values each colour stands for, and how many regions have it. Pick a class to see where \
        it is. Hatching means that there is no figure: the list says why.
        """),
    Step(
      control: "year",
      italian: """
        Con questo cursore cambi anno. Le classi dei colori restano le stesse per tutti gli anni, così le differenze \
        che vedi sono vere.
        """,
      english: """
        This slider changes the year. The classes of colours are the same for all years, so that the differences you \
        see are real ones.
        """),
    Step(
      control: "measure",
      italian: """
        Scegli che cosa mostrare: euro, euro per residente, quota del totale o variazione sull'anno prima, a prezzi \
        correnti o di un anno a scelta. Per confrontare regioni grandi e piccole usa gli euro per residente.
        """,
      english: """
        Choose what to show: euros, euros per resident, share of the total, or change over the year before, in current \
        prices or in those of a year of your choice. To compare large and small regions, take euros per resident.
        """),
    Step(
      control: "list",
      italian: """
        Le stesse regioni stanno in questo elenco, con i valori e il posto in graduatoria. È la via più comoda per le \
        regioni piccole, per la tastiera e per chi ascolta la pagina.
        """,
      english: """
        The same regions stand in this list, with their values and ranks. It is the easiest way to small regions, with \
        a keyboard, and for those who listen to the page.
        """),
    Step(
      control: "report",
      italian: """
        Scegli una regione, sulla mappa o nell'elenco, per aprire il suo rapporto: di che cosa è fatta la spesa, come \
        cambia negli anni e dove sta la regione fra le altre. Da un grafico passi al dettaglio di una voce, e torni \
        indietro quando vuoi.
        """,
      english: """
        Pick a region, on the map or in the list, to open its report: what the expenditure is made of, how it changes \
        over the years, and where the region is among the others. A chart leads to the details of one voice, and back.
        """),
    Step(
      control: "download",
      italian: """
        Tutto quello che vedi si può portare via: tabella, CSV, immagine SVG o PNG, oppure l'indirizzo della pagina, \
        che riporta sempre alla stessa vista degli stessi dati.
        """,
      english: """
        Everything that you see can be taken away: as a table, a CSV file, an SVG or PNG image, or by the page's \
        address, which always brings back the same view of the same figures.
        """),
    Step(
      control: "menu",
      italian: """
        Nel menu trovi le informazioni generali, il dizionario delle voci di spesa e questo tutorial, da rivedere \
        quando vuoi.
        """,
      english: """
        In the menu are general information, the dictionary of expenditure codes, and this tutorial, whenever you want \
        to see it again.
        """),
  ]
}
