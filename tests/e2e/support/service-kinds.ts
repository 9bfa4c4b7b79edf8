import { type ServiceOptions } from "@pulumi-static-export/service";
import { createFaultyService, type FaultyService } from "../../service/support/faulty-service.js";
import { ClusteredService } from "./clustered-service.js";

interface ServiceKind {
    name: string;
    create: (options: ServiceOptions) => FaultyService;
}

const oneProcess: ServiceKind = { name: "of one process", create: createFaultyService };
export const clustered: ServiceKind = {
    name: "of two API parts and two workers",
    create: (options) => new ClusteredService(options),
};

/** The kinds of service for a whole suite. The second kind is slower. */
export const serviceKinds = [oneProcess, clustered] as const;
