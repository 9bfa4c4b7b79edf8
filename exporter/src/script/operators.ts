import type { BinaryOperator, UnaryOperator } from "estree-jsx";
import { BuiltIn, Closure, Collection, isValueRecord, UnsupportedExpressionError, type Value } from "./value.js";

type Comparable = string | number;

export function binary(operator: BinaryOperator, left: Value, right: Value): Value {
    switch (operator) {
        case "+":
            return typeof left === "string" || typeof right === "string"
                ? toText(left) + toText(right)
                : toNumber(left) + toNumber(right);
        case "-":
            return toNumber(left) - toNumber(right);
        case "*":
            return toNumber(left) * toNumber(right);
        case "/":
            return toNumber(left) / toNumber(right);
        case "%":
            return toNumber(left) % toNumber(right);
        case "**":
            return toNumber(left) ** toNumber(right);
        case "===":
        case "==":
            return operator === "===" ? left === right : (left ?? null) === (right ?? null);
        case "!==":
        case "!=":
            return operator === "!==" ? left !== right : (left ?? null) !== (right ?? null);
        case "<":
            return comparable(left) < comparable(right);
        case "<=":
            return comparable(left) <= comparable(right);
        case ">":
            return comparable(left) > comparable(right);
        case ">=":
            return comparable(left) >= comparable(right);
        case "in":
            return isValueRecord(right) && Object.hasOwn(right, toText(left));
        default:
            throw new UnsupportedExpressionError(`the operator ${operator} is not supported`);
    }
}

export function unary(operator: UnaryOperator, value: Value): Value {
    switch (operator) {
        case "!":
            return !value;
        case "-":
            return -toNumber(value);
        case "+":
            return toNumber(value);
        case "typeof":
            return value instanceof Closure || value instanceof BuiltIn ? "function" : typeof value;
        case "void":
            return undefined;
        default:
            throw new UnsupportedExpressionError(`the operator ${operator} is not supported`);
    }
}

/** A property of a value; only what a page has put there itself, and the length of texts and lists. */
export function memberOf(object: Value, key: string): Value {
    if (typeof object === "string" || Array.isArray(object)) {
        const items = object as string | readonly Value[];
        if (key === "length") {
            return items.length;
        }
        return /^\d+$/.test(key) ? items[Number(key)] : undefined;
    }
    if (isValueRecord(object)) {
        return Object.hasOwn(object, key) ? object[key] : undefined;
    }
    if (object instanceof BuiltIn && object.properties !== undefined && Object.hasOwn(object.properties, key)) {
        return object.properties[key];
    }
    if (object instanceof Collection) {
        return key === "size" ? object.items.size : undefined;
    }
    throw new UnsupportedExpressionError(`${key} is asked of something that has no properties`);
}

/** The name of a syntax node for people: `NewExpression` as "new expression". */
export function wordsOf(type: string): string {
    return type.replace(/\B[A-Z]/g, " $&").toLowerCase();
}

export function toText(value: Value): string {
    if (typeof value === "object" && value !== null) {
        throw new UnsupportedExpressionError("a list or an object cannot be part of a text");
    }
    return String(value);
}

export function toNumber(value: Value): number {
    if (typeof value === "object" && value !== null) {
        return NaN;
    }
    return Number(value);
}

function comparable(value: Value): Comparable {
    return typeof value === "string" ? value : toNumber(value);
}
