type Locales = string | string[] | undefined;
type Options = Intl.NumberFormatOptions & Intl.DateTimeFormatOptions & Intl.CollatorOptions;

const language = "en-US";
const collators = new Map<string, Intl.Collator>();

function collatorOf(locales: Locales, options: Options | undefined): Intl.Collator {
    const key = JSON.stringify([locales, options]);
    const collator = collators.get(key) ?? new Intl.Collator(locales, options);
    // Only a page that invents languages has many.
    if (collators.size < 100) {
        collators.set(key, collator);
    }
    return collator;
}

/** The arguments of each method are as in the same method of JavaScript. */
const methods: Readonly<Record<string, (value: never, locales: Locales, options?: Options) => string | number>> = {
    number: (value: string, locales, options) => Number(value).toLocaleString(locales, options),
    bigint: (value: string, locales, options) =>
        BigInt(value).toLocaleString(locales, options as BigIntToLocaleStringOptions | undefined),
    "date and time": (value: number, locales, options) => new Date(value).toLocaleString(locales, inUtc(options)),
    date: (value: number, locales, options) => new Date(value).toLocaleDateString(locales, inUtc(options)),
    time: (value: number, locales, options) => new Date(value).toLocaleTimeString(locales, inUtc(options)),
    compare: ([one, other]: [string, string], locales, options) => collatorOf(locales, options).compare(one, other),
    "lower case": (value: string, locales) => value.toLocaleLowerCase(locales),
    "upper case": (value: string, locales) => value.toLocaleUpperCase(locales),
};

const inUtc = (options: Options | undefined): Options => ({ timeZone: "UTC", ...options });

/**
 * Computes a method that depends on a language, for the engine of pages, which has no data of languages.
 *
 * @param request - the method, its value, locales and options as JSON
 * @returns a result or an error as JSON
 */
export function computeInLanguage(request: string): string {
    const [method, value, locales, options] = JSON.parse(request) as [string, never, Locales | null, Options | null];
    try {
        const result = methods[method]?.(value, locales ?? language, options ?? undefined);
        return JSON.stringify({ result });
    } catch (error) {
        return JSON.stringify({ error: (error as Error).message });
    }
}
