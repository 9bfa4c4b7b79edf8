import type {
    ArrayExpression,
    BinaryExpression,
    Expression,
    MemberExpression,
    NewExpression,
    ObjectExpression,
    SimpleCallExpression,
    Super,
} from "estree-jsx";
import { assign, step } from "./assignments.js";
import { bindPattern } from "./bind-pattern.js";
import { Budget } from "./budget.js";
import { createCollection, itemsOf } from "./collections.js";
import { boundTo, type Evaluation } from "./evaluation.js";
import { memberOfElement } from "./elements.js";
import { createError } from "./exceptions.js";
import { evaluateJsx } from "./jsx.js";
import { callMethod, hasMethod, makesList } from "./methods.js";
import { binary, memberOf, toText, unary, wordsOf } from "./operators.js";
import { runFunctionBody } from "./statements.js";
import {
    BuiltIn,
    Closure,
    Content,
    emptyRecord,
    isValueRecord,
    JsxValue,
    RegularExpression,
    Scope,
    UnsupportedExpressionError,
    type Value,
    type ValueRecord,
} from "./value.js";

/**
 * Works out JavaScript expressions of pages by walking their syntax tree: literals, names, operators, templates, calls
 * of a page's own functions and of a short list of methods, and JSX. Nothing is handed to the JavaScript engine, so a
 * page reaches neither the process nor the network nor a clock; steps, depth and text are bounded.
 */
export class Evaluator implements Evaluation {
    /** What this code made itself. What imported files made is other pages' as well. */
    readonly #own = new WeakSet<object>();

    #idCount = 0;

    constructor(readonly budget: Budget = new Budget()) {}

    readonly nextId = (): string => `_r_${(this.#idCount += 1)}_`;

    owns(value: object): boolean {
        return this.#own.has(value);
    }

    /** @throws UnsupportedExpressionError for everything beyond the subset */
    evaluate(node: Expression, scope: Scope): Value {
        this.budget.step();
        switch (node.type) {
            case "Literal":
                if ("regex" in node) {
                    return new RegularExpression(node.regex.pattern, node.regex.flags);
                }
                return typeof node.value === "bigint" ? Number(node.value) : node.value;
            case "TemplateLiteral": {
                let text = node.quasis[0]?.value.cooked ?? "";
                node.expressions.forEach((expression, index) => {
                    text += toText(this.evaluate(expression, scope)) + (node.quasis[index + 1]?.value.cooked ?? "");
                });
                return this.budget.text(text);
            }
            case "Identifier":
                if (node.name === "undefined") {
                    return undefined;
                }
                if (!scope.has(node.name)) {
                    throw new UnsupportedExpressionError(`${node.name} has no value here`);
                }
                return scope.get(node.name);
            case "ArrayExpression":
                return this.#list(node, scope);
            case "ObjectExpression":
                return this.#object(node, scope);
            case "MemberExpression":
                return this.#member(node, scope);
            case "ChainExpression":
                return this.evaluate(node.expression, scope);
            case "NewExpression":
                return this.#newExpression(node, scope);
            case "CallExpression":
                return this.#callExpression(node, scope);
            case "ArrowFunctionExpression":
            case "FunctionExpression":
                return new Closure(node, scope);
            case "ConditionalExpression":
                return this.evaluate(this.evaluate(node.test, scope) ? node.consequent : node.alternate, scope);
            case "LogicalExpression": {
                const left = this.evaluate(node.left, scope);
                const goesOn =
                    node.operator === "&&"
                        ? left
                        : node.operator === "||"
                          ? !left
                          : left === null || left === undefined;
                return goesOn ? this.evaluate(node.right, scope) : left;
            }
            case "BinaryExpression":
                return this.#binary(node, scope);
            case "AssignmentExpression":
                return assign(node, scope, this);
            case "UpdateExpression":
                return step(node, scope, this);
            case "UnaryExpression":
                if (
                    node.operator === "typeof" &&
                    node.argument.type === "Identifier" &&
                    !scope.has(node.argument.name)
                ) {
                    return "undefined";
                }
                return unary(node.operator, this.evaluate(node.argument, scope));
            case "JSXElement":
            case "JSXFragment":
                return this.budget.nested(() => evaluateJsx(node, scope, this));
            default:
                break;
        }
        throw new UnsupportedExpressionError(`${wordsOf(node.type)} is not supported`);
    }

    /** @param name how the code calls it, for the message when it is no function */
    call(callee: Value, args: readonly Value[], name = "what is called"): Value {
        this.budget.step();
        if (callee instanceof BuiltIn) {
            return this.budget.makes(callee.call(args, boundTo(this)));
        }
        if (!(callee instanceof Closure)) {
            throw new UnsupportedExpressionError(`${name} is not a function here`);
        }
        const { node, scope } = callee;
        if (node.async === true || node.generator === true) {
            throw new UnsupportedExpressionError("asynchronous functions and generators are not supported");
        }
        return this.budget.nested(() => {
            const own = new Scope(scope);
            node.params.forEach((param, index) => {
                const value = param.type === "RestElement" ? args.slice(index) : args[index];
                bindPattern(param.type === "RestElement" ? param.argument : param, value, own, this);
            });
            return node.body.type === "BlockStatement"
                ? runFunctionBody(node.body, own, this)
                : this.evaluate(node.body, own);
        });
    }

    #binary(node: BinaryExpression, scope: Scope): Value {
        if (node.left.type === "PrivateIdentifier") {
            throw new UnsupportedExpressionError("private names are not supported");
        }
        const left = this.evaluate(node.left, scope);
        const right = this.evaluate(node.right, scope);
        this.budget.reads(left);
        return this.budget.makes(binary(node.operator, left, right));
    }

    #list(node: ArrayExpression, scope: Scope): readonly Value[] {
        const list = node.elements.flatMap((element) => {
            if (element === null) {
                return [undefined];
            }
            return element.type === "SpreadElement"
                ? this.#items(this.evaluate(element.argument, scope))
                : [this.evaluate(element, scope)];
        });
        this.#own.add(list);
        return list;
    }

    #object(node: ObjectExpression, scope: Scope): ValueRecord {
        const record = emptyRecord();
        this.#own.add(record);
        for (const property of node.properties) {
            if (property.type === "SpreadElement") {
                const spread = this.evaluate(property.argument, scope);
                Object.assign(record, isValueRecord(spread) ? spread : {});
                continue;
            }
            const { key } = property;
            if (property.kind !== "init") {
                throw new UnsupportedExpressionError("getters and setters are not supported");
            }
            const name = !property.computed && key.type === "Identifier" ? key.name : toText(this.evaluate(key, scope));
            record[name] = this.evaluate(property.value as Expression, scope);
        }
        return record;
    }

    #member(node: MemberExpression, scope: Scope): Value {
        const object = this.evaluate(assertExpression(node.object), scope);
        if ((object === null || object === undefined) && node.optional) {
            return undefined;
        }
        return this.#memberOf(object, this.keyOf(node, scope));
    }

    #memberOf(object: Value, key: string): Value {
        return object instanceof JsxValue || object instanceof Content
            ? memberOfElement(object, key, this)
            : memberOf(object, key);
    }

    keyOf({ property, computed }: MemberExpression, scope: Scope): string {
        if (property.type === "PrivateIdentifier") {
            throw new UnsupportedExpressionError("private names are not supported");
        }
        return !computed && property.type === "Identifier" ? property.name : toText(this.evaluate(property, scope));
    }

    #callExpression(node: SimpleCallExpression, scope: Scope): Value {
        const args = () =>
            node.arguments.flatMap((argument) =>
                argument.type === "SpreadElement"
                    ? this.#items(this.evaluate(argument.argument, scope))
                    : [this.evaluate(argument, scope)],
            );
        const callee = assertExpression(node.callee);
        if (callee.type === "MemberExpression") {
            const object = this.evaluate(assertExpression(callee.object), scope);
            if ((object === null || object === undefined) && (callee.optional || node.optional)) {
                return undefined;
            }
            const key = this.keyOf(callee, scope);
            if (hasMethod(object, key)) {
                const made = this.budget.makes(callMethod(object, key, args(), this));
                if (Array.isArray(made) && made !== object && makesList(key)) {
                    this.#own.add(made);
                }
                return made;
            }
            return this.call(this.#memberOf(object, key), args(), key);
        }
        return this.call(this.evaluate(callee, scope), args(), callee.type === "Identifier" ? callee.name : undefined);
    }

    #newExpression({ callee, arguments: given }: NewExpression, scope: Scope): Value {
        const [first] = given;
        if (callee.type !== "Identifier" || scope.has(callee.name) || first?.type === "SpreadElement") {
            throw new UnsupportedExpressionError("new expression is not supported");
        }
        const value = first === undefined ? undefined : this.evaluate(first, scope);
        const error = createError(callee.name, value);
        if (error !== undefined) {
            return error;
        }
        const made = createCollection(callee.name, value === undefined || value === null ? [] : this.#items(value));
        this.#own.add(made);
        return made;
    }

    #items(value: Value): readonly Value[] {
        const items = itemsOf(value);
        if (items === undefined) {
            throw new UnsupportedExpressionError("only lists can be spread");
        }
        this.budget.step(Math.max(1, items.length));
        return items;
    }
}

function assertExpression(node: Expression | Super): Expression {
    if (node.type === "Super") {
        throw new UnsupportedExpressionError("classes are not supported");
    }
    return node;
}
