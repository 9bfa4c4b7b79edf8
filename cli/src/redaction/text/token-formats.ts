import { rules } from "@secretlint/secretlint-rule-preset-recommend";

/** The part of secretlint's interface for rules that is used here. */
interface Rule {
    readonly meta: { readonly id: string };
    create(context: RuleContext, options: object): { file?(source: { readonly content: string }): unknown };
}

interface RuleContext {
    readonly sharedOptions: object;
    createTranslator(messages: object): (messageId: string, data?: object) => { messageId: string; data?: object };
    report(finding: { range: readonly [number, number]; message: { messageId: string } }): void;
    ignore(): void;
}

interface TextRange {
    readonly start: number;
    readonly end: number;
}

/** Comments in a text must not switch rules off, and the number of an AWS account is not secret. */
const unusedRule = "@secretlint/secretlint-rule-filter-comments";
const publicFinding = "AWSAccountID";

/** Formats without a rule of secretlint, or with a narrower one. */
export const keyFormats =
    /\b(AKIA|ASIA)[A-Z\d]{16}\b|\bgh[pousr]_[A-Za-z\d]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{20,}|\bpul-[\da-f]{40}\b|\bxox[abprs]-[\w-]{10,}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.|\badmin_[\da-f]{16,}|\b[srp]k_(live|test)_\w{10,}|\bsk-(ant-|proj-)?[\w-]{20,}|\bnpm_[A-Za-z\d]{30,}|\bAIza[\w-]{35}|\bhf_[A-Za-z\d]{30,}/g;

/** Every token has as many characters in a row, or is in an address. Most texts have neither. */
const mayContainToken = /[\w+/=.~-]{16}|:\/\//;

let found: TextRange[] = [];

const context: RuleContext = {
    sharedOptions: {},
    createTranslator: () => (messageId, data) => ({ messageId, ...(data === undefined ? {} : { data }) }),
    report({ range: [start, end], message }) {
        if (message.messageId !== publicFinding) {
            found.push({ start, end });
        }
    },
    ignore: () => undefined,
};

const scanners = (rules as unknown as readonly Rule[])
    .filter(({ meta }) => meta.id !== unusedRule)
    .map((rule) => rule.create(context, {}));

/** Finds tokens of known services by their formats, with the rules of secretlint. */
export function knownTokens(content: string): TextRange[] {
    found = [];
    for (const scanner of mayContainToken.test(content) ? scanners : []) {
        scanner.file?.({ content });
    }
    return found;
}

/** The text with `…` in place of its tokens. */
export function withoutTokens(text: string): string {
    return knownTokens(text).reduce((rest, { start, end }) => rest.replaceAll(text.slice(start, end), "…"), text);
}
