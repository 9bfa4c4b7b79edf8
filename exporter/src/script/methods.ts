import { type Budget } from "./budget.js";
import { boundTo, type Evaluation } from "./evaluation.js";
import { toNumber, toText } from "./operators.js";
import { exec, match, matchAll, replace, search, split, test } from "./patterns.js";
import { assertOwn } from "./assignments.js";
import { changingMethods, collectionMethods } from "./collections.js";
import { itemsOfContent } from "./elements.js";
import { Collection, Content, RegularExpression, UnsupportedExpressionError, type Value } from "./value.js";

type Method<Target> = (target: Target, args: readonly Value[], evaluation: Evaluation) => Value;
type List = readonly Value[];

const integer = (value: Value): number | undefined => (value === undefined ? undefined : toNumber(value));

/** Longer texts than this are not made by repeating or padding. */
const maxPaddingLength = 10_000;

const stringMethods = new Map<string, Method<string>>([
    ["at", (text, [index]) => text.at(toNumber(index ?? 0))],
    ["charAt", (text, [index]) => text.charAt(toNumber(index ?? 0))],
    ["concat", (text, args) => text + args.map(toText).join("")],
    ["endsWith", (text, [part]) => text.endsWith(toText(part))],
    ["includes", (text, [part]) => text.includes(toText(part))],
    ["indexOf", (text, [part]) => text.indexOf(toText(part))],
    ["lastIndexOf", (text, [part]) => text.lastIndexOf(toText(part))],
    ["localeCompare", (text, [other]) => (text < toText(other) ? -1 : text > toText(other) ? 1 : 0)],
    ["padEnd", (text, [size, fill]) => text.padEnd(Math.min(maxPaddingLength, toNumber(size)), toText(fill ?? " "))],
    [
        "padStart",
        (text, [size, fill]) => text.padStart(Math.min(maxPaddingLength, toNumber(size)), toText(fill ?? " ")),
    ],
    ["repeat", repeat],
    ["match", (text, [pattern], evaluation) => match(text, pattern, evaluation)],
    ["matchAll", (text, [pattern], evaluation) => matchAll(text, pattern, evaluation)],
    ["replace", (text, [part, by], evaluation) => replace(text, part, by, false, evaluation)],
    ["replaceAll", (text, [part, by], evaluation) => replace(text, part, by, true, evaluation)],
    ["search", (text, [pattern], evaluation) => search(text, pattern, evaluation)],
    ["slice", (text, [from, to]) => text.slice(integer(from), integer(to))],
    ["split", (text, [by], evaluation) => split(text, by, evaluation)],
    ["startsWith", (text, [part]) => text.startsWith(toText(part))],
    ["substring", (text, [from, to]) => text.substring(toNumber(from), integer(to))],
    ["toLocaleLowerCase", (text) => text.toLowerCase()],
    ["toLocaleUpperCase", (text) => text.toUpperCase()],
    ["toLowerCase", (text) => text.toLowerCase()],
    ["toString", (text) => text],
    ["toUpperCase", (text) => text.toUpperCase()],
    ["trim", (text) => text.trim()],
    ["trimEnd", (text) => text.trimEnd()],
    ["trimStart", (text) => text.trimStart()],
]);

const listMethods = new Map<string, Method<List>>([
    ["at", (list, [index]) => list.at(toNumber(index ?? 0))],
    ["concat", (list, args) => list.concat(...args)],
    ["every", (list, [test], { call }) => list.every((item, index) => call(test, [item, index]))],
    ["filter", (list, [test], { call }) => list.filter((item, index) => call(test, [item, index]))],
    ["find", (list, [test], { call }) => list.find((item, index) => call(test, [item, index]))],
    ["findIndex", (list, [test], { call }) => list.findIndex((item, index) => call(test, [item, index]))],
    ["findLast", (list, [test], { call }) => list.findLast((item, index) => call(test, [item, index]))],
    ["findLastIndex", (list, [test], { call }) => list.findLastIndex((item, index) => call(test, [item, index]))],
    ["flat", (list, _, { budget }) => flatten(list, budget)],
    [
        "flatMap",
        (list, [use], { call, budget }) =>
            flatten(
                list.map((item, index) => call(use, [item, index])),
                budget,
            ),
    ],
    ["forEach", (list, [use], { call }) => void list.forEach((item, index) => call(use, [item, index]))],
    ["includes", (list, [item]) => list.includes(item)],
    ["indexOf", (list, [item]) => list.indexOf(item)],
    ["join", join],
    ["lastIndexOf", (list, [item]) => list.lastIndexOf(item)],
    ["map", (list, [use], { call }) => list.map((item, index) => call(use, [item, index]))],
    ["pop", (list, _, evaluation) => writable(list, "pop", evaluation).pop()],
    ["push", (list, items, evaluation) => writable(list, "push", evaluation).push(...items)],
    ["reduce", reduce],
    ["reverse", (list, _, evaluation) => inPlace(list, evaluation).reverse()],
    ["shift", (list, _, evaluation) => writable(list, "shift", evaluation).shift()],
    ["slice", (list, [from, to]) => list.slice(integer(from), integer(to))],
    ["some", (list, [test], { call }) => list.some((item, index) => call(test, [item, index]))],
    ["sort", (list, [compare], evaluation) => sort(inPlace(list, evaluation), compare, evaluation)],
    ["splice", splice],
    ["toReversed", (list) => [...list].reverse()],
    ["toSorted", (list, [compare], evaluation) => sort([...list], compare, evaluation)],
    ["unshift", (list, items, evaluation) => writable(list, "unshift", evaluation).unshift(...items)],
]);

/** Methods whose list is a new one, which the code may change as if it had written it. */
const makingMethods: ReadonlySet<string> = new Set([
    ...["concat", "entries", "filter", "flat", "flatMap", "keys", "map", "match", "matchAll", "reverse", "slice"],
    ...["sort", "splice", "split", "toReversed", "toSorted", "values"],
]);

const numberMethods = new Map<string, Method<number>>([
    ["toFixed", (number, [digits]) => number.toFixed(Math.min(100, Math.max(0, toNumber(digits ?? 0))))],
    ["toString", (number) => String(number)],
    ["toLocaleString", (number) => number.toLocaleString("en-US")],
]);

const patternMethods = new Map<string, Method<RegularExpression>>([
    ["exec", (pattern, [text], evaluation) => exec(pattern, toText(text), evaluation)],
    ["test", (pattern, [text], evaluation) => test(pattern, toText(text), evaluation)],
]);

export function hasMethod(target: Value, name: string): boolean {
    return methodsOf(target)?.has(name) === true;
}

/** Whether the list that the method gave belongs to the code that called it. */
export function makesList(name: string): boolean {
    return makingMethods.has(name);
}

/** Call only when `hasMethod` says that there is one. */
export function callMethod(target: Value, name: string, args: readonly Value[], evaluation: Evaluation): Value {
    const method = methodsOf(target)?.get(name) as Method<Value>;
    const { budget } = evaluation;
    budget.reads(target);
    if (target instanceof Collection && changingMethods.has(name)) {
        assertOwn(target, evaluation);
    }
    return method(target instanceof Content ? itemsOfContent(target) : target, args, boundTo(evaluation));
}

function methodsOf(target: Value): ReadonlyMap<string, Method<never>> | undefined {
    if (typeof target === "string") {
        return stringMethods;
    }
    if (typeof target === "number") {
        return numberMethods;
    }
    if (target instanceof Collection) {
        return collectionMethods;
    }
    if (target instanceof RegularExpression) {
        return patternMethods;
    }
    return Array.isArray(target) || target instanceof Content ? listMethods : undefined;
}

function flatten(list: List, budget: Budget): List {
    for (const item of list) {
        budget.step(Array.isArray(item) ? item.length : 1);
    }
    return list.flat();
}

function join(list: List, [separator]: readonly Value[], { budget }: Evaluation): string {
    const by = separator === undefined ? "," : toText(separator);
    budget.step((list.length * by.length) / 20);
    return list.map((item) => budget.text(toText(item ?? ""))).join(by);
}

function writable(list: List, method: string, evaluation: Evaluation): Value[] {
    assertOwn(list, evaluation, `${method} only works on a list that the code itself wrote, such as [...list]`);
    return list as Value[];
}

/** Sorting what other pages use as well gives a copy: nearly all code goes on with what it is given. */
function inPlace(list: List, evaluation: Evaluation): Value[] {
    return evaluation.owns(list) ? (list as Value[]) : [...list];
}

function splice(list: List, args: readonly Value[], evaluation: Evaluation): List {
    const [from, count, ...items] = args;
    const own = writable(list, "splice", evaluation);
    const most = args.length < 2 ? own.length : toNumber(count);
    return args.length === 0 ? [] : own.splice(toNumber(from), most, ...items);
}

function repeat(text: string, [times]: readonly Value[], { budget }: Evaluation): string {
    const count = Math.trunc(toNumber(times));
    if (!(count >= 0) || text.length * count > maxPaddingLength) {
        throw new UnsupportedExpressionError("repeat has no such count here, or makes too much text");
    }
    budget.step(count);
    return text.repeat(count);
}

function reduce(list: List, args: readonly Value[], { call }: Evaluation): Value {
    const [combine, initial] = args;
    const [first, rest] = args.length > 1 ? [initial, list] : [list[0], list.slice(1)];
    return rest.reduce((sum: Value, item, index) => call(combine, [sum, item, index]), first);
}

function sort(list: Value[], compare: Value, { call }: Evaluation): Value {
    const byText = (a: Value, b: Value) => (toText(a) < toText(b) ? -1 : 1);
    return list.sort(compare === undefined ? byText : (a, b) => toNumber(call(compare, [a, b])));
}
