import { type ServiceLogger } from "@pulumi-static-export/service";

export const consoleLogger: ServiceLogger = {
    info: (message) => console.log(`${timeOfDay()} ${message}`),
    error: (message) => console.error(`${timeOfDay()} ${message}`),
};

export function timeOfDay(): string {
    return new Date().toISOString().slice(11, 19);
}
