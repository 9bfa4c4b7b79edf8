/**
 * The part of React that pages use for their first view. This file and its neighbours form one program, which runs in
 * the engine of pages, not in Node.js.
 */
import { addStateUpdate, hookState, rendering } from "./rendering.js";

export const elementMark = Symbol("element");

export function createElement(type, given, ...children) {
    const props = { ...type?.defaultProps, ...given };
    delete props.key;
    delete props.ref;
    if (children.length > 0) {
        props.children = children.length === 1 ? children[0] : children;
    }
    return { $$typeof: elementMark, type, key: given?.key ?? null, props };
}

export function isValidElement(value) {
    return typeof value === "object" && value !== null && value.$$typeof === elementMark;
}

function cloneElement(element, given, ...children) {
    if (!isValidElement(element)) {
        throw new Error("the first argument of cloneElement is not an element");
    }
    return createElement(element.type, { ...element.props, ...given }, ...children);
}

function Fragment({ children }) {
    return children;
}

export class Component {
    constructor(props) {
        this.props = props;
    }

    setState(change) {
        addStateUpdate(this.stateKey, this.state, (state) => ({
            ...state,
            ...(typeof change === "function" ? change(state, this.props) : change),
        }));
    }

    forceUpdate() {}
}

/** A context is its own provider, as since React 19. */
function createContext(value) {
    const context = ({ children }) => children;
    context.values = [value];
    context.context = context;
    context.Provider = context;
    context.Consumer = ({ children }) => children(useContext(context));
    return context;
}

function use(resource) {
    if (resource?.context === undefined) {
        throw new Error("use() reads contexts only here, because an export does not wait for promises");
    }
    return useContext(resource);
}

function useContext({ values }) {
    return values[values.length - 1];
}

function useReducer(reduce, initial, prepare) {
    const [key, state] = hookState(() => (prepare ? prepare(initial) : initial));
    return [state, (action) => addStateUpdate(key, state, (before) => reduce(before, action))];
}

function useState(initial) {
    const [key, state] = hookState(() => (typeof initial === "function" ? initial() : initial));
    const change = (next) => addStateUpdate(key, state, (before) => (typeof next === "function" ? next(before) : next));
    return [state, change];
}

const loading = /\bfetch\s*\(|\b(?:axios|EventSource|WebSocket|XMLHttpRequest)\b/;

/** Effects run in browsers only. The component may load data in a function that its effect calls. */
function useEffect(effect) {
    rendering.loadsData ||= [effect, rendering.component].some((code) => loading.test(String(code)));
}

let idCount = 0;

const children = {
    count: (given) => childList(given).length,
    forEach: (given, use) => childList(given).forEach((child, index) => use(child, index)),
    map: (given, use) =>
        given === undefined || given === null ? given : shown(childList(given).map((c, i) => use(c, i))),
    only: (given) => {
        if (!isValidElement(given)) {
            throw new Error("the argument of React.Children.only is not a single element");
        }
        return given;
    },
    toArray: (given) => shown(childList(given)),
};

/** Values that show nothing count as null, as in React. */
function childList(given) {
    return given === undefined || given === null
        ? []
        : [given].flat(Infinity).map((child) => (child === undefined || typeof child === "boolean" ? null : child));
}

function shown(list) {
    return list.flat(Infinity).filter((child) => child !== undefined && child !== null && typeof child !== "boolean");
}

const nothing = () => undefined;

export const react = {
    Children: children,
    Component,
    Fragment,
    Profiler: Fragment,
    PureComponent: class extends Component {},
    StrictMode: Fragment,
    Suspense: Fragment,
    cloneElement,
    createContext,
    createElement,
    createRef: () => ({ current: null }),
    forwardRef: (render) => (props) => render(props, null),
    isValidElement,
    memo: (component) => component,
    startTransition: nothing,
    use,
    useCallback: (callback) => callback,
    useContext,
    useDeferredValue: (value) => value,
    useEffect,
    useId: () => `_r_${(idCount += 1)}_`,
    useImperativeHandle: nothing,
    useInsertionEffect: nothing,
    useLayoutEffect: useEffect,
    useMemo: (compute) => compute(),
    useReducer,
    useRef: (initial) => ({ current: initial }),
    useState,
    useSyncExternalStore: (_, read, readAtFirst) => (readAtFirst ?? read)(),
    useTransition: () => [false, nothing],
};
