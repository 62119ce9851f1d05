export const words = {
  title: { en: "Sign in", it: "Accedi" },
  username: { en: "Username or e-mail address", it: "Nome utente o indirizzo e-mail" },
  password: { en: "Password", it: "Password" },
  submit: { en: "Sign in", it: "Accedi" },
  noAccount: { en: "You have no account yet?", it: "Non hai ancora un account?" },
  register: { en: "Register", it: "Registrati" },
  usernameMissing: {
    en: "Enter your username or e-mail address.",
    it: "Inserisci il nome utente o l’indirizzo e-mail.",
  },
  passwordMissing: { en: "Enter your password.", it: "Inserisci la password." },
  wrong: {
    en: "The name or the password is wrong.",
    it: "Il nome o la password non sono corretti.",
  },
  noCookies: {
    en: "Your browser keeps no cookies of this site, and without them nobody can stay signed in.",
    it: "Il browser non conserva i cookie di questo sito, e senza non si può restare connessi.",
  },
  locked: {
    en: "There were too many wrong passwords for this name. Wait a minute, then try again.",
    it: "Troppe password errate per questo nome. Aspetta un minuto e riprova.",
  },
  tooMany: {
    en: "There were too many wrong passwords from your network. Wait a minute, then try again.",
    it: "Troppe password errate dalla tua rete. Aspetta un minuto e riprova.",
  },
  atIssuer: { en: "Sign in with {name}", it: "Accedi con {name}" },
  notBegun: {
    en: "This sign-in was not begun in this browser, or too long ago. Begin again.",
    it: "Questo accesso non è stato avviato in questo browser, oppure è passato troppo tempo. Ricomincia.",
  },
  refused: { en: "You were not signed in there.", it: "L’accesso non è stato concesso." },
  notLinked: {
    en: "No account here is linked with that sign-in. Sign in with your password, then link your account.",
    it: "Nessun account qui è collegato a quell’accesso. Accedi con la password, poi collega il tuo account.",
  },
  invalid: {
    en: "What came back does not prove who you are. Begin again.",
    it: "La risposta ricevuta non prova la tua identità. Ricomincia.",
  },
  unavailable: {
    en: "Signing in there does not work now. Try again later, or sign in with your password.",
    it: "In questo momento quell’accesso non funziona. Riprova più tardi o accedi con la password.",
  },
} as const;
