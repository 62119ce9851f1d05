export const words = {
  requested: { en: "You have left", it: "Account eliminato" },
  state: { en: "Erasure", it: "Cancellazione" },
  running: {
    en: "Your identity and your readings are being erased.",
    it: "La tua identità e le tue misure sono in corso di cancellazione.",
  },
  erased: { en: "Your identity and your readings have been erased.", it: "La tua identità e le tue misure sono state cancellate." },
  due: { en: "Done at the latest", it: "Completata al più tardi" },
  erasedAt: { en: "Done", it: "Completata" },
  readings: { en: "Readings erased", it: "Misure cancellate" },
  recipients: { en: "Third parties that keep what they had received", it: "Terze parti che conservano quanto avevano ricevuto" },
  noRecipients: { en: "None had received readings of yours.", it: "Nessuna aveva ricevuto tue misure." },
} as const;
