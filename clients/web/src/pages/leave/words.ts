export const words = {
  title: { en: "Leave for good", it: "Elimina l’account" },
  what: {
    en: "Your account ends at once, and this cannot be undone:",
    it: "Il tuo account finisce subito, e non si può annullare:",
  },
  sessions: { en: "All your sessions end, here and elsewhere.", it: "Si chiudono tutte le tue sessioni, qui e altrove." },
  devices: {
    en: "Your devices and bridges can send no more readings, and AutomatedSOS watches over you no more.",
    it: "I tuoi dispositivi e bridge non possono più inviare misure, e AutomatedSOS non veglia più su di te.",
  },
  grants: { en: "Nobody can see your readings any more.", it: "Nessuno può più vedere le tue misure." },
  identity: {
    en: "Your identity and all your readings are erased within 48 hours.",
    it: "La tua identità e tutte le tue misure vengono cancellate entro 48 ore.",
  },
  kept: {
    en: "What third parties have received before stays with them: nobody can take it back. The receipt names them.",
    it: "Quello che le terze parti hanno già ricevuto resta a loro: nessuno può riprenderlo. La ricevuta le elenca.",
  },
  subscriptions: {
    en: "Your requests, your access to readings and your subscriptions end.",
    it: "Finiscono le tue richieste, i tuoi accessi alle misure e i tuoi abbonamenti.",
  },
  account: { en: "What is known of your account is erased within 48 hours.", it: "I dati del tuo account vengono cancellati entro 48 ore." },
  password: { en: "Your password", it: "La tua password" },
  passwordHint: { en: "To prove that it is you.", it: "Per dimostrare che sei tu." },
  wrongPassword: { en: "This is not your password.", it: "Non è la tua password." },
  submit: { en: "Leave for good", it: "Elimina l’account" },
  sure: { en: "Leave for good?", it: "Eliminare l’account?" },
  sureText: {
    en: "Your account ends now. There is no way back.",
    it: "Il tuo account finisce adesso. Non si può tornare indietro.",
  },
  confirm: { en: "End my account", it: "Elimina il mio account" },
  left: { en: "Your account has ended", it: "Il tuo account è eliminato" },
  receipt: { en: "Number of the receipt", it: "Numero della ricevuta" },
  receiptText: {
    en: "With it you can see later that everything was erased. Nobody else has it: keep it.",
    it: "Con questo potrai vedere più tardi che tutto è stato cancellato. Non ce l’ha nessun altro: conservalo.",
  },
  lookUp: { en: "Look up a receipt", it: "Consulta una ricevuta" },
} as const;
