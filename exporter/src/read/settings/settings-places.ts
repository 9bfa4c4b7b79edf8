import type * as Jsonc from "jsonc-parser";
import { type SettingPlace, type SourcePlace } from "../../problems/warning-log.js";
import { isRecord } from "../../text/json-values.js";
import { lazyModule } from "../../text/lazy-module.js";
import { lineAt } from "../../text/strings.js";
import { type ConfigFile, fileOfReference } from "../files/config-file.js";

const jsonc = lazyModule<typeof Jsonc>("jsonc-parser");

interface FoundNode {
    readonly file: string;
    readonly node: Jsonc.Node;
}

/** Finds settings in `docs.json` and in the files that it includes by `$ref`. */
export class SettingsPlaces {
    readonly #trees = new Map<string, Jsonc.Node | undefined>();
    #strings: Map<string, FoundNode> | undefined;
    #paths: Map<object, string> | undefined;

    constructor(private readonly config: ConfigFile) {}

    /** Returns only the file if the settings do not contain the setting, for example because a default is at fault. */
    of(setting: SettingPlace): SourcePlace {
        const found = "value" in setting ? this.#withValue(setting.value) : this.#at(this.#pathOf(setting));
        if (found === undefined) {
            return { file: this.config.file, line: undefined };
        }
        const { file, node } = found;
        const line = lineAt(this.config.sources.get(file) ?? "", node.offset);
        return { file, line };
    }

    #pathOf(setting: Exclude<SettingPlace, { value: string }>): string {
        if ("path" in setting) {
            return setting.path;
        }
        this.#paths ??= new Map(pathsIn(this.config.value, []));
        return this.#paths.get(setting.entry) ?? "";
    }

    /** Follows a path to its last part that the files contain. */
    #at(path: string): FoundNode | undefined {
        const root = this.#rootOf(this.config.file);
        let at = root;
        for (const key of path === "" ? [] : path.split(".")) {
            const inner = at && this.#child(at, key);
            if (inner === undefined) {
                break;
            }
            at = inner;
        }
        return at === root ? undefined : at;
    }

    #child({ file, node }: FoundNode, key: string): FoundNode | undefined {
        const own = jsonc().findNodeAtLocation(node, [node.type === "array" ? Number(key) : key]);
        if (own !== undefined) {
            return { file, node: own };
        }
        const reference: unknown = jsonc().findNodeAtLocation(node, ["$ref"])?.value;
        const target = typeof reference === "string" ? this.#rootOf(fileOfReference(reference, file)) : undefined;
        return target && this.#child(target, key);
    }

    /** A string of the settings or, for a link in a longer text, the first string that contains it. */
    #withValue(value: string): FoundNode | undefined {
        this.#strings ??= new Map(
            [...this.config.sources.keys()].flatMap((file) => [...stringsIn(this.#rootOf(file))]).reverse(),
        );
        return (
            this.#strings.get(value) ??
            [...this.#strings].reverse().find(([text]) => value !== "" && text.includes(value))?.[1]
        );
    }

    #rootOf(file: string): FoundNode | undefined {
        if (!this.#trees.has(file)) {
            this.#trees.set(file, jsonc().parseTree(this.config.sources.get(file) ?? ""));
        }
        const node = this.#trees.get(file);
        return node && { file, node };
    }
}

function* stringsIn(found: FoundNode | undefined): Generator<[string, FoundNode]> {
    const { node } = found ?? {};
    if (found !== undefined && typeof node?.value === "string") {
        yield [node.value, found];
    }
    // The name of a setting is the first part of a property.
    for (const inner of node?.children?.slice(node.type === "property" ? 1 : 0) ?? []) {
        yield* stringsIn({ file: found?.file ?? "", node: inner });
    }
}

function* pathsIn(value: unknown, path: readonly string[]): Generator<[object, string]> {
    if (isRecord(value) || Array.isArray(value)) {
        yield [value, path.join(".")];
        for (const [key, inner] of Object.entries(value)) {
            yield* pathsIn(inner, [...path, key]);
        }
    }
}
