import Module, { createRequire } from "node:module";

/**
 * Pulumi's SDK loads 700 modules, half a second in each preview, and a policy pack uses two parts of it. So @pulumi/policy
 * is given these, and the whole only where it asks for another. What has been loaded already stays.
 */
const fromPolicy = createRequire(require.resolve("@pulumi/policy"));

const parts: Readonly<Record<string, () => unknown>> = {
    asset: () => fromPolicy("@pulumi/pulumi/asset") as unknown,
    Output: () => (fromPolicy("@pulumi/pulumi/output") as { Output: unknown }).Output,
};

const index = fromPolicy.resolve("@pulumi/pulumi");
let whole: Record<string | symbol, unknown> | undefined;

if (require.cache[index] === undefined) {
    const lean = new Module(index);
    lean.filename = index;
    lean.loaded = true;
    lean.exports = new Proxy({}, { get: (_target, name) => parts[String(name)]?.() ?? loadWhole()[name] });
    require.cache[index] = lean;
}

function loadWhole(): Record<string | symbol, unknown> {
    if (whole === undefined) {
        delete require.cache[index];
        whole = fromPolicy(index) as Record<string | symbol, unknown>;
    }
    return whole;
}
