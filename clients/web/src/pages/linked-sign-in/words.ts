export const words = {
  title: { en: "Sign-in elsewhere", it: "Accesso tramite terzi" },
  none: {
    en: "This site signs in by password alone.",
    it: "Su questo sito si accede solo con la password.",
  },
  what: {
    en: "You can link your account with {name}, and sign in there from then on. Your password goes on working.",
    it: "Puoi collegare il tuo account a {name} e da quel momento accedere da lì. La password continua a funzionare.",
  },
  begin: { en: "Go to {name}", it: "Vai a {name}" },
  confirm: {
    en: "You have signed in at {name}. Enter your password to link your account.",
    it: "Hai effettuato l’accesso presso {name}. Inserisci la password per collegare il tuo account.",
  },
  password: { en: "Password", it: "Password" },
  passwordMissing: { en: "Enter your password.", it: "Inserisci la password." },
  submit: { en: "Link the account", it: "Collega l’account" },
  linked: {
    en: "Your account is linked. You can sign in at {name} now, and are told of this by e-mail too.",
    it: "Il tuo account è collegato. Ora puoi accedere da {name}; ti arriva anche un’e-mail di conferma.",
  },
  wrongPassword: {
    en: "The password is wrong. Go to {name} again, then enter the right one.",
    it: "La password non è corretta. Torna da {name}, poi inserisci quella giusta.",
  },
  taken: {
    en: "That sign-in belongs to another account, or your account is linked with another sign-in: end that link first.",
    it: "Quell’accesso appartiene a un altro account, oppure il tuo è già collegato a un altro accesso: scollega prima quello.",
  },
  again: {
    en: "It was not begun in this browser, or took too long. Begin again.",
    it: "Non è stato avviato in questo browser, oppure è passato troppo tempo. Ricomincia.",
  },
  refused: { en: "You were not signed in there.", it: "L’accesso non è stato concesso." },
  unavailable: {
    en: "{name} cannot be reached now. Try again later.",
    it: "In questo momento {name} non è raggiungibile. Riprova più tardi.",
  },
  end: { en: "End the link", it: "Scollega" },
  endWhat: {
    en: "If your account is linked, you can end that: then only your password signs you in.",
    it: "Se il tuo account è collegato puoi scollegarlo: allora si accede solo con la password.",
  },
  ended: { en: "Your account is linked no more.", it: "Il tuo account non è più collegato." },
} as const;
