export const words = {
  title: { en: "Notifications", it: "Notifiche" },
  which: { en: "Which notifications", it: "Quali notifiche" },
  all: { en: "All", it: "Tutte" },
  unreadOnly: { en: "Unread", it: "Da leggere" },
  readAll: { en: "Mark all as read", it: "Segna tutte come lette" },
  read: { en: "Mark as read", it: "Segna come letta" },
  allRead: { en: "Everything is read.", it: "Hai letto tutto." },
  fresh: { en: "New", it: "Nuova" },
  none: { en: "There are no notifications yet.", it: "Non ci sono ancora notifiche." },
  noneUnread: { en: "You have read all of them.", it: "Le hai lette tutte." },
  message: { en: "The message in full", it: "Il messaggio completo" },
  list: { en: "Notifications, newest first", it: "Notifiche, dalla più recente" },
} as const;
