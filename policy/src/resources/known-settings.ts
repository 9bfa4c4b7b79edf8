import type { ResourceRule, StackRule } from "./rule.js";

interface Configured {
    getConfig<T extends object>(): T;
}

/**
 * A rule that refuses settings it does not have. The engine ignores a misspelt setting, so that a team would believe
 * that its limit applies.
 */
export function withKnownSettings<Rule extends ResourceRule | StackRule>(rule: Rule): Rule {
    const known = Object.keys(rule.configSchema?.properties ?? {});
    const refuseOthers = ({ getConfig }: Configured): void => {
        const [other] = Object.keys(getConfig<object>()).filter((name) => !known.includes(name));
        if (other !== undefined) {
            const settings = known.length === 0 ? "it has no settings" : `its settings are ${known.join(", ")}`;
            throw new Error(
                `The configuration of the policy ${rule.name} has "${other}", which is not a setting: ${settings}.`,
            );
        }
    };
    const checked: Record<string, unknown> = {};
    for (const name of ["validateResource", "validateStack", "remediateResource"] as const) {
        const check = (rule as unknown as Record<string, unknown>)[name];
        if (typeof check === "function") {
            checked[name] = (args: Configured, ...rest: unknown[]): unknown => {
                refuseOthers(args);
                return (check as (...all: unknown[]) => unknown)(args, ...rest);
            };
        }
    }
    return { ...rule, ...checked };
}
