/**
 * The methods that depend on a language. The engine has no data of languages, so that Node.js computes them. An
 * exported page has no visitor: without other arguments, the language is en-US and the time zone UTC.
 */
function inLanguage(method, value, [locales, options]) {
    const { result, error } = JSON.parse(
        globalThis.computeInLanguage(JSON.stringify([method, value, locales, options])),
    );
    if (error !== undefined) {
        throw new RangeError(error);
    }
    return result;
}

function define(prototype, methods) {
    for (const [name, value] of Object.entries(methods)) {
        Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
    }
}

const ofDate = (method) =>
    function (...args) {
        const time = this.getTime();
        return Number.isNaN(time) ? "Invalid Date" : inLanguage(method, time, args);
    };

const ofCase = (method) =>
    function (locales) {
        return inLanguage(method, String(this), [locales]);
    };

define(Number.prototype, {
    toLocaleString(...args) {
        // JSON has no value for NaN and Infinity.
        return inLanguage("number", String(this), args);
    },
});
define(BigInt.prototype, {
    toLocaleString(...args) {
        return inLanguage("bigint", String(this), args);
    },
});
define(Date.prototype, {
    toLocaleString: ofDate("date and time"),
    toLocaleDateString: ofDate("date"),
    toLocaleTimeString: ofDate("time"),
});
define(String.prototype, {
    localeCompare(other, ...args) {
        return inLanguage("compare", [String(this), String(other)], args);
    },
    toLocaleLowerCase: ofCase("lower case"),
    toLocaleUpperCase: ofCase("upper case"),
});
