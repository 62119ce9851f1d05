export const words = {
  title: { en: "TrackMe", it: "TrackMe" },
  what: {
    en: "TrackMe keeps readings of your body, and shows them to you and to those whom you let see them.",
    it: "TrackMe conserva le misure del tuo corpo e le mostra a te e a chi autorizzi.",
  },
  welcome: { en: "Welcome, {username}.", it: "Ti diamo il benvenuto, {username}." },
  status: { en: "Your current status", it: "Il tuo stato attuale" },
  ask: { en: "Ask a person for readings", it: "Chiedi le misure di una persona" },
  asked: { en: "What you have asked for, and what was granted", it: "Che cosa hai chiesto e che cosa ti è stato concesso" },
  sos: { en: "AutomatedSOS: who is called when something is wrong", it: "AutomatedSOS: chi viene chiamato quando qualcosa non va" },
  emergencies: { en: "Your emergencies", it: "Le tue emergenze" },
  admin: { en: "Administration", it: "Amministrazione" },
  desk: { en: "Emergency desk: calls for help as they come", it: "Centrale operativa: le chiamate di soccorso in arrivo" },
  subscriptions: { en: "Your subscriptions", it: "I tuoi abbonamenti" },
  signIn: { en: "Sign in", it: "Accedi" },
  byProgram: {
    en: "Accounts of your kind use TrackMe by programs; these pages are for persons.",
    it: "Gli account del tuo tipo usano TrackMe tramite programmi; queste pagine sono per le persone.",
  },
} as const;
