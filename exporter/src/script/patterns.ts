import type * as Re2 from "re2js";
import { lazyModule } from "../text/lazy-module.js";
import { type Budget } from "./budget.js";
import { type Evaluation } from "./evaluation.js";
import { toText } from "./operators.js";
import { BuiltIn, Closure, RegularExpression, UnsupportedExpressionError, type Value } from "./value.js";

/** Takes time that grows with the text and the pattern alone, unlike the engine's own regular expressions. */
const re2 = lazyModule<typeof Re2>("re2js");

const maxPatternLength = 500;
const maxReplacementLength = 10_000;
const charactersOfAStep = 20;

/** How many instructions of a pattern cost what one step of the evaluator costs, for a character and to compile. */
const instructionsOfAStep = { matched: 50, compiled: 5 };

interface Match {
    readonly start: number;
    readonly end: number;
    readonly text: string;
    readonly groups: readonly (string | undefined)[];
    readonly named: Readonly<Record<string, string | null>>;
}

export function test(pattern: RegularExpression, text: string, { budget }: Evaluation): boolean {
    return matchesOf(pattern, text, 1, budget).length > 0;
}

/** The text and the groups of the first match. Unlike in a browser, `exec` begins at the start of the text each time. */
export function exec(pattern: RegularExpression, text: string, { budget }: Evaluation): Value {
    const [first] = matchesOf(pattern, text, 1, budget);
    return first === undefined ? null : [first.text, ...first.groups];
}

export function match(text: string, pattern: Value, evaluation: Evaluation): Value {
    const expression = asExpression(pattern);
    if (!expression.flags.includes("g")) {
        return exec(expression, text, evaluation);
    }
    const all = matchesOf(expression, text, Infinity, evaluation.budget);
    return all.length === 0 ? null : all.map((one) => one.text);
}

export function matchAll(text: string, pattern: Value, { budget }: Evaluation): Value {
    return matchesOf(asExpression(pattern), text, Infinity, budget).map((one) => [one.text, ...one.groups]);
}

export function search(text: string, pattern: Value, { budget }: Evaluation): number {
    return matchesOf(asExpression(pattern), text, 1, budget)[0]?.start ?? -1;
}

export function split(text: string, by: Value, { budget }: Evaluation): Value {
    if (by === undefined) {
        return [text];
    }
    if (!(by instanceof RegularExpression)) {
        return text.split(toText(by));
    }
    const parts: Value[] = [];
    let from = 0;
    for (const { start, end, groups } of matchesOf(by, text, Infinity, budget)) {
        if (end === 0 || (start === end && start === text.length)) {
            continue;
        }
        parts.push(text.slice(from, start), ...groups);
        from = end;
    }
    return [...parts, text.slice(from)];
}

/** `by` is a text, in which `$1`, `$<name>`, `$&` and `$$` stand for what they do in JavaScript, or a function. */
export function replace(text: string, pattern: Value, by: Value, isAll: boolean, evaluation: Evaluation): string {
    const { budget } = evaluation;
    const most = isAll || (pattern instanceof RegularExpression && pattern.flags.includes("g")) ? Infinity : 1;
    const matches =
        pattern instanceof RegularExpression
            ? matchesOf(pattern, text, most, budget)
            : placesOf(toText(pattern), text, most, budget);
    if (typeof by === "string" && by.length > maxReplacementLength) {
        throw new UnsupportedExpressionError("a replacement is too long");
    }
    const parts: string[] = [];
    let from = 0;
    for (const one of matches) {
        const replacement =
            by instanceof Closure || by instanceof BuiltIn
                ? toText(evaluation.call(by, [one.text, ...one.groups, one.start, text]))
                : expand(toText(by), one, budget);
        parts.push(text.slice(from, one.start), budget.text(replacement));
        from = one.end;
    }
    return parts.join("") + text.slice(from);
}

/** As in JavaScript, a text is read as a pattern here, and as it is where texts are split or replaced. */
function asExpression(pattern: Value): RegularExpression {
    return pattern instanceof RegularExpression
        ? pattern
        : new RegularExpression(pattern === undefined ? "(?:)" : toText(pattern), "");
}

function matchesOf({ source, flags }: RegularExpression, text: string, most: number, budget: Budget): Match[] {
    const compiled = compile(source, flags);
    budget.step(compiled.programSize() / instructionsOfAStep.compiled);
    budget.step((text.length * compiled.programSize()) / instructionsOfAStep.matched);
    const matcher = compiled.matcher(text);
    const matches: Match[] = [];
    while (matches.length < most && matcher.find()) {
        budget.step(1 + matcher.groupCount());
        matches.push({
            start: matcher.start(),
            end: matcher.end(),
            text: budget.text(matcher.group() ?? ""),
            groups: Array.from({ length: matcher.groupCount() }, (_, at) => matcher.group(at + 1) ?? undefined),
            named: matcher.getNamedGroups(),
        });
    }
    return matches;
}

function placesOf(part: string, text: string, most: number, budget: Budget): Match[] {
    const matches: Match[] = [];
    // An empty text is found everywhere; only its first place counts.
    const maxPlaces = part === "" ? 1 : most;
    for (
        let at = text.indexOf(part);
        at !== -1 && matches.length < maxPlaces;
        at = text.indexOf(part, at + part.length)
    ) {
        budget.step();
        matches.push({ start: at, end: at + part.length, text: part, groups: [], named: {} });
    }
    return matches;
}

function compile(source: string, flags: string): Re2.RE2JS {
    if (source.length > maxPatternLength) {
        throw new UnsupportedExpressionError("a regular expression is too long");
    }
    const { RE2JS } = re2();
    const chosen =
        (flags.includes("i") ? RE2JS.CASE_INSENSITIVE : 0) |
        (flags.includes("m") ? RE2JS.MULTILINE : 0) |
        (flags.includes("s") ? RE2JS.DOTALL : 0);
    try {
        return RE2JS.compile(RE2JS.translateRegExp(source), chosen);
    } catch {
        throw new UnsupportedExpressionError(
            `the regular expression /${source}/ is not supported (look-around and references to groups are not)`,
        );
    }
}

function expand(template: string, match: Match, budget: Budget): string {
    budget.step(1 + template.length / charactersOfAStep);
    return template.replace(/\$(?:[$&]|\d{1,2}|<[^<>$]{1,50}>)/g, (mark) => budget.text(partOf(mark, match)));
}

function partOf(mark: string, { text, groups, named }: Match): string {
    switch (mark[1]) {
        case "$":
            return "$";
        case "&":
            return text;
        case "<":
            return named[mark.slice(2, -1)] ?? "";
        default: {
            const number = Number(mark.slice(1));
            return number >= 1 && number <= groups.length ? (groups[number - 1] ?? "") : mark;
        }
    }
}
