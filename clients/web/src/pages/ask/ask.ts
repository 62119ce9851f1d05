import { ReadingService } from "../../api/readings_v1.js";
import { AccessService } from "../../api/sharing_v1.js";
import type { AccessRequest, AccessScope, Granularity, RequestAccessRequest } from "../../api/sharing_v1.js";
import { translator } from "../../language/words.js";
import { metricName } from "../../metrics/format.js";
import { priceText } from "../../payments/price.js";
import { momentField, setField, textField } from "../../parts/field.js";
import type { Field } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { numberIn } from "../../parts/number.js";
import { RequestIds } from "../../parts/request_ids.js";
import { dateOf } from "../../parts/time.js";
import { granularityText } from "../../sharing/describe.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { problemsOf } from "./problems.js";
import { words } from "./words.js";

const granularities = ["GRANULARITY_SECOND", "GRANULARITY_MINUTE", "GRANULARITY_HOUR"] as const;
const purposeCharacters = 500;

/** Asks one person for readings. `like` in the address is a request that this one begins as. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const [registry, { price }, like] = await Promise.all([
    client.unary(ReadingService.listMetrics, {}, { signal }), client.unary(AccessService.getRequestPrice, {}, { signal }),
    likeOf(context),
  ]);
  const scope = like?.scope;

  const fiscalCode = textField({
    name: "fiscalCode", label: t("fiscalCode"), hint: t("fiscalCodeHint"), refused: t("fiscalCodeWrong"),
    autocomplete: "off", maxLength: 32, api: ["fiscal_code"],
  }, locale);
  const metrics = setField({
    name: "metrics", label: t("metrics"), refused: t("metricsMissing"), value: scope?.metrics ?? [],
    choices: (registry.metrics ?? []).map((metric) => (
      { value: metric.name ?? "", label: metricName(metric.name ?? "", metric, locale) })),
    api: ["scope.metrics"],
  }, locale);
  const granularity = setField<Granularity>({
    name: "granularity", label: t("granularity"), hint: t("granularityHint"), isOne: true,
    choices: granularities.map((value) => ({ value, label: granularityText(value, locale) })),
    value: scope?.granularity ? [scope.granularity] : [], api: ["scope.granularity"],
  }, locale);
  const from = withProblem(momentField({
    name: "from", label: t("from"), hint: t("fromHint"), optional: true, refused: t("intervalRefused"),
    ...moment(scope?.from), api: ["scope.from"],
  }, locale), (value) => wholeProblem(value));
  const to = withProblem(momentField({
    name: "to", label: t("to"), hint: t("toHint"), optional: true, refused: t("intervalRefused"),
    ...moment(scope?.to), api: ["scope.to"],
  }, locale), (value) => {
    const begin = from.value();
    return begin && value <= begin ? t("toBeforeFrom") : wholeProblem(value);
  });
  const purpose = textField({
    name: "purpose", label: t("purpose"), hint: t("purposeHint"), refused: t("purposeRefused"), isLong: true,
    maxLength: purposeCharacters, value: like?.purpose ?? "",
  }, locale);

  function wholeProblem(value: Date): string | undefined {
    const isHour = granularity.value()?.[0] === "GRANULARITY_HOUR";
    return isHour && value.getTime() % 3_600_000 !== 0 ? t("wholeHour") : undefined;
  }

  const ids = new RequestIds();
  const form = new Form({
    fields: [fiscalCode, metrics, granularity, from, to, purpose], submit: t("submit"),
    async send() {
      const asked: AccessScope = {
        metrics: [...metrics.value() ?? []], granularity: granularity.value()?.[0] ?? "GRANULARITY_UNSPECIFIED",
        ...bound("from", from.value()), ...bound("to", to.value()),
      };
      const request: RequestAccessRequest = {
        fiscalCode: (fiscalCode.value() ?? "").replace(/\s/g, "").toUpperCase(), scope: asked, purpose: purpose.value() ?? "",
      };
      const answer = await client.unary(AccessService.requestAccess, { ...request, requestId: ids.of(request) }, { signal });
      context.go(`/asked/${answer.accessRequest?.accessRequestId ?? ""}`);
    },
    problems: (failure) => problemsOf(failure, locale.language),
  }, locale, signal);
  return {
    title: t("title"),
    content: [
      element("p", {}, t("intro")), ...(price ? [element("p", {}, t("price", { price: priceText(price, locale) }))] : []),
      element("div", { class: "narrow" }, form.node),
    ],
  };
}

async function likeOf({ client, query, signal }: PageContext): Promise<AccessRequest | undefined> {
  if (!query.has("like")) return undefined;
  const accessRequestId = numberIn(query.get("like"));
  return (await client.unary(AccessService.getAccessRequest, { accessRequestId }, { signal })).accessRequest;
}

function moment(timestamp: string | undefined): { readonly value?: Date } {
  const value = dateOf(timestamp);
  return value ? { value } : {};
}

function bound(name: "from" | "to", value: Date | undefined): AccessScope {
  return value ? { [name]: value.toISOString() } : {};
}

/** A field for which more may be wrong than it can see. */
function withProblem<Value>(field: Field<Value>, problem: (value: Value) => string | undefined): Field<Value> {
  return {
    ...field,
    problem() {
      const value = field.value();
      return field.problem() ?? (value === undefined ? undefined : problem(value));
    },
  };
}
