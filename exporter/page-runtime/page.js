/** What the exporter calls, by the name of `__page`. */
import { createElement, elementMark, isValidElement, react } from "./react.js";
import { rendering, startRendering } from "./rendering.js";
import { written } from "./show.js";
import { writeStates } from "./states.js";

/** What the engine throws at the end of memory or of its stack. */
const EngineError = globalThis.InternalError;

/** Numbers are what the exporter knows scopes, references and parts of the page by. */
const page = {
    scopes: [],
    references: rendering.references,

    addScope(number, outer) {
        page.scopes[number] = Object.create(page.scopes[outer] ?? null);
        [rendering.pageNames] = page.scopes;
    },

    /** Runs a statement that declares names. One that fails leaves them without a value. @returns what they are */
    declare(number, names, run) {
        const scope = page.scopes[number];
        names.forEach((name) => (scope[name] = undefined));
        try {
            run(scope);
        } catch (error) {
            // A name that every page sees, such as React, is still worth what it was.
            names.filter((name) => name in globalThis).forEach((name) => delete scope[name]);
            throw error;
        }
        return JSON.stringify(names.map((name) => typeof scope[name]));
    },

    element: createElement,
    fragment: react.Fragment,

    /** The component of this name; the name itself where there is none, which means one of the exporter's. */
    type(name, read) {
        try {
            return read() ?? name;
        } catch {
            return name;
        }
    },

    /** A part of a page's content, which is looked into only where code asks for its attributes. */
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

    /** An expression among the content of a component. One that fails is left to the page, which says so. */
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
    link: ({ to, href, children }) => createElement("a", { href: to ?? href }, children),
    self: (value) => value,

    /** What an expression is worth. */
    write(read) {
        startRendering();
        return JSON.stringify(written(read(), ""));
    },

    /** Attributes as a list of their names and what they are worth, or why they are worth nothing. */
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

    /** What an element on a page is to a component that looks into it. */
    expanded(type, list, children) {
        const { attributes, problems } = page.attributes(list);
        return { type, props: createElement(type, attributes, ...children).props, isWhole: problems.length === 0 };
    },

    /** Stands at the beginning of each `catch`. */
    caught(error) {
        if (error instanceof EngineError) {
            throw error;
        }
    },

    /** Stands for code that does not parse. */
    fail(message) {
        throw Object.assign(new Error(message), { name: "Refused" });
    },

    /** What a component shows, at first and after clicks; null for what is no component. */
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

/** Two exports of a site are alike: what a page shows depends on no clock and on no chance. */
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
// To write down a deep stack for each error takes long.
Error.stackTraceLimit = 8;
Reflect.deleteProperty(globalThis, "eval");
delete Function.prototype.constructor;

const silent = () => undefined;
Object.assign(globalThis, react, {
    React: react,
    __page: page,
    console: { debug: silent, error: silent, info: silent, log: silent, warn: silent },
    // A picture as Docusaurus names it: `require("./a.png").default`.
    require: (path) => ({ default: path }),
});
