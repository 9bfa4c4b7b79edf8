import { emptyRecord, type ValueRecord } from "../script/value.js";
import { type Component } from "./component.js";

/** Attributes with text for readers, wherever a component has them. */
const textNames =
    "title name label heading description caption hint tip headline cta summary subtitle text question answer content".split(
        " ",
    );

/** The same component, which warns of each text for readers that it does not show. */
export function tellingUnreadTexts(component: Component): Component {
    return (use) => {
        const given = use.attributes;
        const unread = new Set(textNames.filter((name) => typeof given[name] === "string" && given[name] !== ""));
        if (unread.size === 0) {
            return component(use);
        }
        const html = component({ ...use, attributes: observed(given, [...unread], (name) => unread.delete(name)) });
        for (const name of unread) {
            use.host.warn("attribute", `${name} in <${use.name}> is left out: the component shows no such text`);
        }
        return html;
    };
}

function observed(given: ValueRecord, names: readonly string[], onRead: (name: string) => void): ValueRecord {
    const attributes = Object.assign(emptyRecord(), given);
    for (const name of names) {
        Object.defineProperty(attributes, name, {
            enumerable: true,
            get: () => {
                onRead(name);
                return given[name];
            },
        });
    }
    return attributes;
}
