type Quantities = Readonly<Record<string, unknown>>;

/** A container's resources. Requests above the limits become the limits: Kubernetes would refuse the pod. */
export function resourcesOf(
    requests: Quantities,
    limits: Quantities,
): { readonly requests: Quantities; readonly limits: Quantities } {
    const lowered = Object.entries(requests).map(([name, wanted]) => {
        const limit = limits[name] ?? wanted;
        return [name, amountOf(wanted) > amountOf(limit) ? limit : wanted];
    });
    return { requests: Object.fromEntries(lowered) as Quantities, limits };
}

const decimal: Readonly<Record<string, number>> = { n: 1e-9, u: 1e-6, m: 1e-3, "": 1, k: 1e3 };

/** The number of a quantity, such as 1073741824 of `1Gi`; NaN for another text. */
function amountOf(quantity: unknown): number {
    const [, number = "NaN", prefix = "", binary = ""] =
        /^\+?([\d.]+(?:[eE][+-]?\d+)?)([numkKMGTPE]?)(i?)$/.exec(String(quantity)) ?? [];
    return Number(number) * (decimal[prefix] ?? (binary === "" ? 1000 : 1024) ** ("KMGTPE".indexOf(prefix) + 1));
}
