export const words = {
  unavailable: {
    en: "The server cannot be reached. Try again in a moment.",
    it: "Il server non è raggiungibile. Riprova tra poco.",
  },
  busy: {
    en: "The server has too much to do. Try again in a moment.",
    it: "Il server ha troppo da fare. Riprova tra poco.",
  },
  notPermitted: {
    en: "Your account may not see or do this.",
    it: "Il tuo account non può vedere o fare questo.",
  },
  unauthenticated: {
    en: "You are signed out. Sign in to go on.",
    it: "La sessione è finita. Accedi per continuare.",
  },
  notFound: {
    en: "This is not there, or not there any more.",
    it: "Non esiste, o non esiste più.",
  },
  invalid: {
    en: "The server has refused what was entered.",
    it: "Il server ha rifiutato i dati inseriti.",
  },
  other: {
    en: "Something went wrong. Try again later.",
    it: "Qualcosa è andato storto. Riprova più tardi.",
  },
} as const;
