/** Runs components, and writes their output as plain data. */
import { optionsIn, textIn } from "./parts.js";
import { Component, elementMark, isValidElement } from "./react.js";
import { rendering } from "./rendering.js";

/** A hint may appear when the pointer or the focus reaches an element, which a click also does. */
const eventsOfReaders = ["onClick", "onMouseEnter", "onMouseOver", "onPointerEnter", "onFocus"];

/** The maximum number of parts that a page may show; nobody reads a longer page. */
const maxParts = 150_000;
let partCount = 0;

/** @returns strings, numbers and empty values unchanged; everything else as a list that begins with its kind */
export function written(given, path) {
    let value = given;
    let at = path;
    for (;;) {
        partCount += 1;
        if (partCount > maxParts) {
            throw new Error("the page computes too much");
        }
        if (isValidElement(value)) {
            if (typeof value.type !== "function" || value.content !== undefined) {
                return writtenElement(value, at);
            }
            at += `/${value.key ?? ""}`;
            const { context } = value.type;
            if (context !== undefined) {
                context.values.push(value.props.value);
                try {
                    return written(value.props.children, at);
                } finally {
                    context.values.pop();
                }
            }
            value = rendered(value, at);
            continue;
        }
        return writtenPlain(value, at);
    }
}

function rendered({ type, props }, path) {
    const { states, path: outerPath, hookCount, component } = rendering;
    Object.assign(rendering, { path, hookCount: 0, component: type });
    try {
        if (!(type.prototype instanceof Component)) {
            return type(props);
        }
        const instance = new type(props);
        Object.assign(instance, { props, stateKey: `${path}#state` });
        if (states.has(instance.stateKey)) {
            instance.state = states.get(instance.stateKey);
        } else {
            const derived = type.getDerivedStateFromProps?.(props, instance.state ?? {});
            instance.state = derived ? { ...instance.state, ...derived } : instance.state;
            states.set(instance.stateKey, instance.state);
        }
        return instance.render();
    } finally {
        Object.assign(rendering, { path: outerPath, hookCount, component });
    }
}

function writtenElement(element, path) {
    if (element.content !== undefined) {
        return element.hasComponents ? writtenContent(element, path) : ["content", element.content];
    }
    const { props } = element;
    const type = ofPage(element.type);
    if (typeof type === "function") {
        return written({ ...element, type }, path);
    }
    const attributes = [];
    for (const name in props) {
        if (name !== "children") {
            attributes.push([name, written(props[name], `${path}/${name}`)]);
        }
    }
    const children = writtenList(Array.isArray(props.children) ? props.children : [props.children], path);
    if (isValidElement(type)) {
        return ["snippet", type.content, attributes, children];
    }
    if (typeof type !== "string") {
        throw new Error("a value that is not a component is used as a component");
    }
    const shown = ["element", type, attributes, children];
    addActions(props, shown);
    return shown;
}

/** A snippet may use the imports of the page around it. */
function ofPage(type) {
    return typeof type === "string" && /^[A-Z]/.test(type) && type in rendering.pageNames
        ? (rendering.pageNames[type] ?? type)
        : type;
}

/**
 * Writes a part of the page as part of the component around it. If the part fails, the exporter renders it separately
 * and reports the error.
 */
function writtenContent(element, path) {
    try {
        if (!element.isWhole) {
            return ["content", element.content];
        }
        return written({ $$typeof: elementMark, type: element.type, key: element.key, props: element.props }, path);
    } catch {
        return ["content", element.content];
    }
}

function writtenList(list, path) {
    const all = [];
    let index = 0;
    for (const item of list) {
        all.push(written(item, `${path}.${index}`));
        index += 1;
    }
    return all;
}

function writtenPlain(value, path) {
    switch (typeof value) {
        case "string":
        case "boolean":
            return value;
        case "number":
            return Number.isFinite(value) ? value : String(value);
        case "bigint":
            return String(value);
        case "undefined":
            return ["undefined"];
        case "function":
            return reference(value, true);
        case "object":
            break;
        default:
            return reference(value, false);
    }
    if (value === null) {
        return null;
    }
    if (typeof value[Symbol.iterator] === "function") {
        return ["list", ...writtenList(value, path)];
    }
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) {
        return reference(value, false);
    }
    return ["record", Object.entries(value).map(([key, item]) => [key, written(item, `${path}.${key}`)])];
}

/** Stores a value that is not data in the engine, and returns a reference with the value's number. */
function reference(value, isFunction) {
    rendering.references.push(value);
    return ["reference", rendering.references.length - 1, isFunction];
}

function addActions(props, element) {
    const acts = new Set(eventsOfReaders.map((name) => props[name]));
    for (const act of acts) {
        if (typeof act === "function") {
            rendering.actions.push({ label: element, run: () => act(eventOn({})) });
        }
    }
    if (element[1] === "select" && typeof props.onChange === "function") {
        for (const option of optionsIn(element[3])) {
            const value = option[2].find(([name]) => name === "value")?.[1] ?? textIn(option[3]);
            rendering.actions.push({ label: option, run: () => props.onChange(eventOn({ value })) });
        }
    }
}

function eventOn(target) {
    const nothing = () => undefined;
    return { target, currentTarget: target, preventDefault: nothing, stopPropagation: nothing };
}
