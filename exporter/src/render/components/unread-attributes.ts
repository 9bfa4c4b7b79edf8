import { type ValueRecord } from "../../text/script-value.js";
import { type Component } from "./component.js";

/** Attributes with text for readers, wherever a component has them. */
const textNames = new Set(
    "title name label heading description caption hint tip headline cta summary subtitle text question answer content".split(
        " ",
    ),
);

/** They only say how something looks or what scripts call it, or ask for what happens anyway. */
const ofAll =
    /^(?:class(?:Name)?|style|variant|id|key|ref|children|slot|lang|dir|on[A-Z].*|(?:data|aria)-.*|groupId|syncKey|queryString|noAnchor)$/;

/** The same component, which warns of each attribute that it does not read, but for those that any element may have. */
export function tellingUnreadAttributes(component: Component): Component {
    return (use) => {
        const given = use.attributes;
        const unread = new Set(Object.keys(given).filter((name) => isTold(name, given)));
        if (unread.size === 0) {
            return component(use);
        }
        const attributes = new Proxy(given, {
            get: (_, name: string) => {
                unread.delete(name);
                return given[name];
            },
        });
        const html = component({ ...use, attributes });
        for (const name of unread) {
            const reason = textNames.has(name)
                ? "is left out: the component shows no such text"
                : "has no effect: the component has no such attribute here";
            use.host.warn("attribute", `${name} in <${use.name}> ${reason}`);
        }
        return html;
    };
}

function isTold(name: string, given: ValueRecord): boolean {
    const value = given[name];
    return !ofAll.test(name) && value !== undefined && value !== null && value !== "" && value !== false;
}
