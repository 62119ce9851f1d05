export type Language = "en" | "it";

export const languages: readonly Language[] = ["en", "it"];

/** What a page says, in both languages, by keys of its own. `{name}` stands for a value. */
export type Words = Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** What says one of a page's sentences in the language of the page. */
export type Translate<Table extends Words> = (key: keyof Table, values?: Readonly<Record<string, string>>) => string;

/** The sentences of a table in one language. */
export function translator<Table extends Words>(table: Table, language: Language): Translate<Table> {
  return (key, values = {}) => {
    const sentence = (table[key] as Words[string])[language];
    return sentence.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
  };
}
