import { AdminService } from "../../api/admin_v1.js";
import type { Program, ProgramKind } from "../../api/admin_v1.js";
import type { Int64 } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { shownOnce } from "../../parts/copy.js";
import { ask } from "../../parts/dialog.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import type { FormOptions } from "../../parts/form.js";
import { pagesOf } from "../../parts/pages_of.js";
import { RequestIds } from "../../parts/request_ids.js";
import { Table } from "../../parts/table.js";
import type { Column } from "../../parts/table.js";
import { dateOf, momentText } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { onceProblems } from "./problems.js";
import { words } from "./words.js";

/** A kind of program that an administrator makes accounts for, each with a token that is shown once. */
export interface Programs {
  readonly kind: ProgramKind;
  readonly create: keyof typeof words;
  readonly new: keyof typeof words;
  readonly token: keyof typeof words;
  /** What it is asked besides its name. */
  readonly more?: FormOptions["fields"];
  /** What is seen of it besides name, number and state. */
  readonly columns?: readonly Column<Program>[];
  make(name: string, requestId: (request: unknown) => string): Promise<{ readonly program: Program; readonly token: string }>;
  readonly caption: keyof typeof words;
  readonly revoke: keyof typeof words;
  readonly revokeText: keyof typeof words;
  end(number: Int64): Promise<unknown>;
}

/** Makes programs of a kind, lists them, and revokes them. */
export async function programs(kind: Programs, context: PageContext): Promise<Node[]> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  let all: Program[] = [];
  const name = textField({
    name: "name", label: t("name"), hint: t("nameHint"), refused: t("nameRefused"), maxLength: 64, autocomplete: "off",
  }, locale);
  const made = element("div");
  const ids = new RequestIds();
  const form = new Form({
    fields: [name, ...(kind.more ?? [])], submit: t(kind.create), label: t(kind.new),
    async send() {
      const wanted = name.value() ?? "";
      const { program, token } = await kind.make(wanted, (request) => ids.of(request));
      ids.renew();
      const once = shownOnce(t(kind.token, { name: wanted, number: program.accountId ?? "" }), token, context);
      once.tabIndex = -1;
      made.replaceChildren(once);
      once.focus();
      name.set("");
      all = [program, ...all];
      table.draw(all);
    },
    problems: onceProblems(t),
  }, locale, signal);

  const revoke = async (program: Program): Promise<void> => {
    const isDone = await ask({
      title: t(kind.revoke, { name: program.name ?? "" }), confirm: t("revoke"),
      content: [element("p", {}, t(kind.revokeText)), element("p", {}, t("cannotBeUndone"))],
      act: async () => { await kind.end(program.accountId ?? "0"); },
    }, locale, signal);
    if (!isDone) return;
    all = all.map((other) => (other === program ? { ...program, revoked: new Date().toISOString() } : other));
    table.draw(all);
    heading.focus();
  };
  const table = new Table<Program>([
    { head: t("name"), cell: (program) => program.name ?? "" },
    { head: t("number"), cell: (program) => program.accountId ?? "" },
    ...(kind.columns ?? []),
    {
      head: t("programState"), isValue: true, cell({ revoked }) {
        const date = dateOf(revoked);
        return date ? t("programRevoked", { time: momentText(date, locale, { dateStyle: "medium" }) }) : t("programWorks");
      },
    },
    {
      head: t("action"), cell(program) {
        if (program.revoked) return "–";
        const label = t("revokeNamed", { name: program.name ?? "" });
        const button = element("button", { type: "button", "aria-label": label }, t("revoke"));
        button.addEventListener("click", () => void revoke(program));
        return button;
      },
    },
  ], { caption: t(kind.caption) }, locale);
  const more = await pagesOf<Program>(context, async (pageToken) => {
    const page = await client.unary(AdminService.listPrograms, { kind: kind.kind, pageToken }, { signal });
    return { items: page.programs ?? [], nextPageToken: page.nextPageToken ?? "" };
  }, (items) => {
    all = [...all, ...items];
    table.draw(all);
  });
  const heading = element("h2", { tabindex: "-1" }, t("accounts"));
  return [
    element("h2", {}, t(kind.new)), element("div", { class: "narrow" }, form.node), made, heading, table.node, more,
  ];
}
