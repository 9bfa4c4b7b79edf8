import { markKey, marks } from "@pulumi-static-export/contract";
import Module, { createRequire } from "node:module";

/**
 * Pulumi's SDK loads 700 modules, which takes half a second in each preview, and a policy pack uses little of it.
 * Therefore @pulumi/policy gets replacements for the parts that it uses, and loads the whole SDK only for other parts.
 * Modules that are already loaded are not replaced.
 */
const fromPolicy = createRequire(require.resolve("@pulumi/policy"));
const standIns = new Map<string, Module>();

type Exports = Record<string | symbol, unknown>;
type Parts = Readonly<Record<string, () => unknown>>;

const sdk = "@pulumi/pulumi";
const protocol = "@pulumi/pulumi/runtime/rpc";

standIn(sdk, {
    asset: () => load("@pulumi/pulumi/asset"),
    Output: () => load("@pulumi/pulumi/output")["Output"],
});

// The marks of secrets and assets in the engine's messages are part of the protocol, and never change.
standIn(protocol, {
    specialSigKey: () => markKey,
    specialSecretSig: () => marks.secret,
    specialAssetSig: () => marks.asset,
    specialArchiveSig: () => marks.archive,
});

function standIn(name: string, parts: Parts): void {
    const file = fromPolicy.resolve(name);
    if (require.cache[file] !== undefined) {
        return;
    }
    let whole: Exports | undefined;
    const loadWhole = () => {
        remove(name);
        return (whole ??= load(name));
    };
    const lean = new Module(file);
    lean.filename = file;
    lean.loaded = true;
    lean.exports = new Proxy({}, { get: (_target, part) => parts[String(part)]?.() ?? loadWhole()[part] });
    require.cache[file] = lean;
    standIns.set(name, lean);
}

/** The SDK's own modules copy all exports of the protocol, so they get the real module. */
function load(name: string): Exports {
    remove(protocol);
    return fromPolicy(name) as Exports;
}

function remove(name: string): void {
    const file = fromPolicy.resolve(name);
    if (standIns.has(name) && require.cache[file] === standIns.get(name)) {
        delete require.cache[file];
    }
}
