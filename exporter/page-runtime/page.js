/** The functions that the exporter calls, as `__page`. */
import "./languages.js";
import { createElement, elementMark, isValidElement, react } from "./react.js";
import { rendering, startRendering } from "./rendering.js";
import { written } from "./show.js";
import { writeStates } from "./states.js";

/** The errors that the engine throws when its memory or stack is full. */
const EngineError = globalThis.InternalError;

/** The exporter refers to scopes, references and parts of the page by number. */
const page = {
    scopes: [],
    references: rendering.references,

    addScope(number, outer) {
        page.scopes[number] = Object.create(page.scopes[outer] ?? null);
        [rendering.pageNames] = page.scopes;
    },

    /** Runs a statement that declares names. The names have no value if the statement fails. @returns their values */
    declare(number, names, run) {
        const scope = page.scopes[number];
        names.forEach((name) => (scope[name] = undefined));
        try {
            run(scope);
        } catch (error) {
            // Names that all pages share, such as React, keep their values.
            names.filter((name) => name in globalThis).forEach((name) => delete scope[name]);
            throw error;
        }
        return JSON.stringify(names.map((name) => typeof scope[name]));
    },

    element: createElement,
    fragment: react.Fragment,

    /** Returns the component with this name, or the name itself if only the exporter contains the component. */
    type(name, read) {
        try {
            return read() ?? name;
        } catch {
            return name;
        }
    },

    /** Returns a part of a page's content, which is evaluated only when code reads the part's attributes. */
    content(number, hasComponents) {
        let expanded;
        const expand = () => (expanded ??= globalThis.expandContent(number));
        return {
            $$typeof: elementMark,
            key: null,
            content: number,
            hasComponents,
            get type() {
                return expand().type;
            },
            get props() {
                return expand().props;
            },
            get isWhole() {
                return expand().isWhole;
            },
        };
    },

    /** Evaluates an expression in the content of a component. The page reports an expression that fails. */
    expression(number, read) {
        try {
            return read();
        } catch {
            return page.content(number, false);
        }
    },

    icon:
        (name) =>
        ({ size, color, className }) =>
            createElement("Icon", { icon: name, size, color, className }),

    /** Evaluates an expression, and returns its value as JSON. */
    write(read) {
        startRendering();
        return JSON.stringify(written(read(), ""));
    },

    /** Evaluates attributes, and returns their values and the problems of attributes without a value. */
    attributes(list) {
        const attributes = {};
        const problems = [];
        for (const [name, read] of list) {
            try {
                Object.assign(attributes, name === undefined ? read() : { [name]: read() });
            } catch (error) {
                problems.push([name ?? "{…}", describable(error)]);
            }
        }
        return { attributes, problems };
    },

    /** Creates an element of the page in the form that components receive. */
    expanded(type, list, children) {
        const { attributes, problems } = page.attributes(list);
        return { type, props: createElement(type, attributes, ...children).props, isWhole: problems.length === 0 };
    },

    /**
     * Rethrows the engine's own errors, which a page must not catch. Each `catch` of a page calls this function first.
     */
    caught(error) {
        if (error instanceof EngineError) {
            throw error;
        }
    },

    /** Throws an error in place of code that does not parse. */
    fail(message) {
        throw Object.assign(new Error(message), { name: "Refused" });
    },

    /** Returns the initial output of a component, and its output after clicks; null for anything else. */
    show(type, list, children) {
        const { attributes, problems } = page.attributes(list);
        if (typeof type !== "function" && !isValidElement(type)) {
            return "null";
        }
        return JSON.stringify([problems, ...writeStates(() => createElement(type, attributes, ...children))]);
    },
};

function describable(error) {
    return { name: error?.name, message: error?.message ?? error, stack: error?.stack };
}

/** Exports of a site must be reproducible, so pages cannot read the time or random numbers. */
function refuse(what) {
    return () => {
        throw new Error(`an export has no ${what}, so that every export of a page is the same`);
    };
}

const SystemDate = Date;
globalThis.Date = class extends SystemDate {
    constructor(...given) {
        super(...(given.length === 0 ? [refuse("clock")()] : given));
    }
};
Date.now = refuse("clock");
Math.random = refuse("chance");
// Recording a deep stack for each error takes a long time.
Error.stackTraceLimit = 8;
Reflect.deleteProperty(globalThis, "eval");
delete Function.prototype.constructor;

const silent = () => undefined;
Object.assign(globalThis, react, {
    React: react,
    __page: page,
    console: { debug: silent, error: silent, info: silent, log: silent, warn: silent },
});
