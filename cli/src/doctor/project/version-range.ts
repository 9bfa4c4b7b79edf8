/** The minimum version of a range such as `>=20.19`; undefined for ranges of another form. */
export function minVersionOf(range: string | undefined): string | undefined {
    const [, version] = /^>=\s*v?(\d+(?:\.\d+)*)$/.exec(range?.trim() ?? "") ?? [];
    return version?.includes(".") ? version : version && `${version}.0`;
}
