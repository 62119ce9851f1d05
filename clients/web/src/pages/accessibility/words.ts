export const words = {
  title: { en: "Accessibility", it: "Accessibilità" },
  elsewhere: { en: "Accessibility statement of this site", it: "Dichiarazione di accessibilità di questo sito" },
  ownWord: {
    en: "Whoever runs this site has published no statement of their own. This is what the makers of the software say.",
    it: "Chi gestisce questo sito non ha pubblicato una propria dichiarazione. Questo è quanto dichiara chi produce il software.",
  },
  aim: { en: "What the pages are made to", it: "A che cosa mirano le pagine" },
  aimText: {
    en: "The pages are made to the Web Content Accessibility Guidelines (WCAG) 2.2, level AA, on which EN 301 549 and the rules of Italy’s AGID build.",
    it: "Le pagine sono realizzate secondo le Web Content Accessibility Guidelines (WCAG) 2.2, livello AA, su cui si fondano la norma EN 301 549 e le regole di AGID.",
  },
  measured: { en: "What is measured", it: "Che cosa viene misurato" },
  measuredAxe: {
    en: "With every version, pages are examined in a real browser with axe-core, state by state, in both languages, light and dark. It has to find nothing wrong; such an examination sees a part of the criteria.",
    it: "A ogni versione le pagine vengono esaminate in un browser reale con axe-core, stato per stato, in entrambe le lingue, con tema chiaro e scuro. Non deve risultare alcun errore; un esame di questo tipo copre solo una parte dei criteri.",
  },
  measuredKeyboard: {
    en: "What people do with the pages is carried out with a keyboard alone, and what has the focus has to show it.",
    it: "Ciò che le persone fanno con le pagine viene eseguito con la sola tastiera, e l’elemento che ha il focus deve mostrarlo.",
  },
  measuredNarrow: {
    en: "At a width of 320 pixels nothing is cut off, and nothing scrolls sideways.",
    it: "A una larghezza di 320 pixel nulla viene tagliato e nulla richiede lo scorrimento orizzontale.",
  },
  missing: { en: "What is not known", it: "Che cosa non si sa" },
  missingText: {
    en: "No audit by people has been made, and the pages have not been tried by people with disabilities or with screen readers. There may be barriers that no program sees.",
    it: "Le pagine non sono state sottoposte a una verifica svolta da persone, né provate da persone con disabilità o con lettori di schermo. Possono esserci barriere che nessun programma rileva.",
  },
  feedback: { en: "Tell us about a barrier", it: "Segnala una barriera" },
  feedbackText: {
    en: "If something on these pages is in your way, or you need it in another form:",
    it: "Se qualcosa in queste pagine ti ostacola, o ti serve in un’altra forma:",
  },
  feedbackPage: { en: "Send feedback", it: "Invia una segnalazione" },
  noFeedback: {
    en: "Whoever runs this site has named no address for feedback. Turn to whoever gave you this site’s address.",
    it: "Chi gestisce questo sito non ha indicato un recapito per le segnalazioni. Rivolgiti a chi ti ha dato l’indirizzo di questo sito.",
  },
} as const;
