import { iconNameOf } from "../../html/icons/icon-name.js";
import { EngineValue } from "../../text/script-value.js";

/**
 * What a name is worth that a page imports from a package which every site of its kind has; undefined where the theme's
 * own component of that name is meant, or only a type.
 */
type PackageExports = (name: string) => EngineValue | undefined;

const themes =
    /^(?:react\/jsx-runtime|next\/(?:link|image)|@mintlify\/components|@theme\/.+|@docusaurus\/.+|@astrojs\/starlight\/components|fumadocs-ui\/.+|nextra(?:-theme-docs|\/.+)?)$/;

const packages = new Map<string, PackageExports>([
    [
        "react",
        (name) => new EngineValue(name === "default" ? "React" : `React[${JSON.stringify(name)}]`, name !== "default"),
    ],
    ["lucide-react", (name) => iconComponent(iconNameOf(name.replace(/^Lucide(?=[A-Z])|Icon$/g, "")))],
    ["@tabler/icons-react", (name) => iconComponent(iconNameOf(name.replace(/^Icon(?=[A-Z])/, "")))],
    ["@docusaurus/useBaseUrl", () => new EngineValue("__page.self", true)],
    ["@docusaurus/Link", () => new EngineValue("__page.link", true)],
]);

/** Undefined for every package but the known ones. */
export function exportsOfPackage(specifier: string): PackageExports | undefined {
    return packages.get(specifier) ?? (themes.test(specifier) ? () => undefined : undefined);
}

function iconComponent(icon: string): EngineValue {
    return new EngineValue(`__page.icon(${JSON.stringify(icon)})`, true);
}
