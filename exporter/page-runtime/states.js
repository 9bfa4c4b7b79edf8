/** Finds what components show after a click, such as another tab or an open menu. */
import { childrenIn, textIn } from "./parts.js";
import { rendering, startRendering } from "./rendering.js";
import { written } from "./show.js";

/** Further states are counted but not shown. */
const maxStates = 60;
/** Shorter text, such as "Copied!", is not content. */
const minTextLength = 24;
const contentTags = new Set(["pre", "img", "picture", "video", "iframe", "table", "ul", "ol", "svg"]);

/**
 * @returns the initial view; the view after each event, with its label; the number of events that were not tried;
 * and whether further content is loaded in browsers
 */
export function writeStates(make) {
    startRendering();
    const first = written(make(), "");
    const { states, actions, loadsData } = rendering;
    const tried = states.size === 0 ? [] : actions;
    const seen = new Set();
    addParts(first, seen);
    const others = [];
    let missing = Math.max(0, tried.length - maxStates);
    for (const { label, run } of tried.slice(0, maxStates)) {
        const changed = changesOf(run, states);
        if (changed.size === 0) {
            continue;
        }
        startRendering(new Map([...states, ...changed]));
        try {
            const parts = newParts(first, written(make(), "")).filter((part) => !seen.has(JSON.stringify(part)));
            if (parts.some(saysSomething)) {
                parts.forEach((part) => addParts(part, seen));
                others.push([labelOf(label), ["list", ...parts]]);
            }
        } catch {
            missing += 1;
        }
    }
    return [first, others, missing, loadsData && states.size > 0];
}

function changesOf(run, states) {
    rendering.updates = new Map();
    try {
        run();
    } catch {
        // The event's code may need a browser; the state changes before the error are used nevertheless.
    }
    const changed = new Map([...rendering.updates].filter(([key, value]) => !Object.is(states.get(key), value)));
    rendering.updates = undefined;
    return changed;
}

/** Returns the largest parts of `next` that `before` does not contain. */
function newParts(before, next) {
    if (JSON.stringify(before) === JSON.stringify(next) || isControl(next)) {
        return [];
    }
    const [from, to] = [childrenIn(before), childrenIn(next)];
    const isSameElement = from !== undefined && to !== undefined && before[0] === next[0] && before[1] === next[1];
    const areSame = isSameElement || (before?.[0] === "list" && next?.[0] === "list");
    if (!areSame) {
        return [next];
    }
    if (from.length === to.length) {
        const isText = (part) => !Array.isArray(part);
        return to.some((part, at) => isText(part) && part !== from[at] && typeof part !== "boolean" && part !== null)
            ? [next]
            : to.flatMap((part, at) => newParts(from[at], part));
    }
    const known = new Set(from.map((part) => JSON.stringify(part)));
    return to.filter((part) => !known.has(JSON.stringify(part)) && !isControl(part));
}

/** Whether a part is a control, such as a button: a click also changes the control's look, which is not new content. */
function isControl(part) {
    if (part?.[0] !== "element") {
        return false;
    }
    const isEvent = ([name, value]) => /^on[A-Z]/.test(name) && value?.[0] === "reference";
    return ["button", "input", "select", "summary", "textarea"].includes(part[1]) || part[2].some(isEvent);
}

function saysSomething(part) {
    return hasContent(part) || textIn([part]).trim().length >= minTextLength;
}

function hasContent(part) {
    return (
        part?.[0] === "content" ||
        part?.[0] === "snippet" ||
        (part?.[0] === "element" && contentTags.has(part[1])) ||
        (childrenIn(part) ?? []).some(hasContent)
    );
}

function addParts(part, seen) {
    seen.add(JSON.stringify(part));
    (childrenIn(part) ?? []).forEach((child) => addParts(child, seen));
}

/** The content of a clicked element, or its label. */
function labelOf([, , attributes, children]) {
    const name = attributes.find(([key]) => key === "aria-label" || key === "title")?.[1];
    return hasContent(["list", ...children]) || textIn(children).trim() !== "" ? ["list", ...children] : (name ?? "");
}
