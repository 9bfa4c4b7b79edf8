import { iconNameOf } from "../icons/icon-name.js";
import { BuiltIn, emptyRecord, isValueRecord, JsxValue, type Value } from "./value.js";

/**
 * What a name is worth that a page imports from a package which every site of its kind has; undefined where the theme's
 * own component of that name is meant, or only a type.
 */
type PackageExports = (name: string) => Value;

const themes =
    /^(?:react|react\/jsx-runtime|next\/(?:link|image)|@mintlify\/components|@theme\/.+|@docusaurus\/.+|@astrojs\/starlight\/components|fumadocs-ui\/.+|nextra(?:-theme-docs|\/.+)?)$/;

const sameAddress = new BuiltIn(([address]) => address);

const packages = new Map<string, PackageExports>([
    ["lucide-react", (name) => iconComponent(iconNameOf(name.replace(/^Lucide(?=[A-Z])|Icon$/g, "")))],
    ["@tabler/icons-react", (name) => iconComponent(iconNameOf(name.replace(/^Icon(?=[A-Z])/, "")))],
    ["@docusaurus/useBaseUrl", () => sameAddress],
    ["@docusaurus/Link", () => link],
]);

/** Undefined for every package but the known ones. */
export function exportsOfPackage(specifier: string): PackageExports | undefined {
    return packages.get(specifier) ?? (themes.test(specifier) ? () => undefined : undefined);
}

function iconComponent(icon: string): BuiltIn {
    return new BuiltIn(([given]) => {
        const { size, color, className } = propertiesOf(given);
        return new JsxValue("Icon", Object.assign(emptyRecord(), { icon, size, color, className }), [], undefined);
    });
}

const link = new BuiltIn(([given]) => {
    const { to, href, children } = propertiesOf(given);
    return new JsxValue("a", Object.assign(emptyRecord(), { href: to ?? href }), [children], undefined);
});

function propertiesOf(given: Value): Readonly<Record<string, Value>> {
    return isValueRecord(given) ? given : emptyRecord();
}
