import { childItems, elementOf, isElement } from "./elements.js";
import {
    BuiltIn,
    type Caller,
    Closure,
    emptyRecord,
    isValueRecord,
    JsxValue,
    UnsupportedExpressionError,
    type Value,
    type ValueRecord,
} from "./value.js";

type Run = (args: readonly Value[], caller: Caller) => Value;

/** What pages use of React while they are shown for the first time; each name works with and without `React.`. */
export function createReact(): ValueRecord {
    return Object.assign(recordOf(functions), { Children: recordOf(childrenFunctions), Fragment: fragment });
}

const fragment = new BuiltIn(([props]) => (isValueRecord(props) ? props["children"] : undefined));

const functions: Readonly<Record<string, Run>> = {
    cloneElement,
    createElement: ([type, props, ...children]) => {
        const { attributes, given } = propsWith(props, children);
        const name = typeof type === "string" ? type : "createElement";
        return new JsxValue(name, attributes, given ?? [], typeof type === "string" ? undefined : type);
    },
    forwardRef: ([component]) => component,
    isValidElement: ([value]) => isElement(value),
    memo: ([component]) => component,
    useCallback: ([callback]) => callback,
    useId: (_, { nextId }) => nextId(),
    useMemo: ([compute], { call }) => call(compute, []),
    useRef: ([initial]) => Object.assign(emptyRecord(), { current: initial }),
    useState: ([initial], { call }) => [
        initial instanceof Closure ? call(initial, []) : initial,
        new BuiltIn(() => undefined),
    ],
};

const childrenFunctions: Readonly<Record<string, Run>> = {
    count: ([children], caller) => itemsOf(children, caller).length,
    forEach: ([children, use], caller) => {
        itemsOf(children, caller).forEach((item, index) => caller.call(use, [item, index]));
        return undefined;
    },
    map: ([children, use], caller) =>
        children === undefined || children === null
            ? children
            : shownOf(
                  itemsOf(children, caller).map((item, index) => caller.call(use, [item, index])),
                  caller,
              ),
    only: ([children]) => {
        if (!isElement(children)) {
            throw new UnsupportedExpressionError("React.Children.only is given something other than one element");
        }
        return children;
    },
    toArray: ([children], caller) => shownOf(children, caller),
};

function cloneElement([value, props, ...children]: readonly Value[], caller: Caller): Value {
    const element = elementOf(value, caller);
    if (element === undefined) {
        throw new UnsupportedExpressionError("cloneElement is given something that is no element");
    }
    const { attributes, given } = propsWith(props, children);
    const merged = Object.assign(emptyRecord(), element.attributes, attributes);
    return new JsxValue(element.name, merged, given ?? element.children, element.component);
}

/** Children are an argument of their own, or one of the props. */
function propsWith(props: Value, children: readonly Value[]): { attributes: ValueRecord; given?: readonly Value[] } {
    const { children: named, ...others } = isValueRecord(props) ? props : emptyRecord();
    const attributes = Object.assign(emptyRecord(), others);
    const given = children.length > 0 ? children : named === undefined ? undefined : [named];
    return { attributes, ...(given && { given }) };
}

/** What shows nothing counts as null, as it does in React. */
function itemsOf(children: Value, caller: Caller): readonly Value[] {
    return children === undefined || children === null
        ? []
        : childItems(children, caller).map((item) => (showsNothing(item) ? null : item));
}

function shownOf(children: Value, caller: Caller): readonly Value[] {
    return childItems(children, caller).filter((item) => !showsNothing(item));
}

function showsNothing(item: Value): boolean {
    return item === undefined || item === null || typeof item === "boolean";
}

function recordOf(runs: Readonly<Record<string, Run>>): Record<string, Value> {
    const record = emptyRecord();
    for (const [name, run] of Object.entries(runs)) {
        record[name] = new BuiltIn(run);
    }
    return record;
}
