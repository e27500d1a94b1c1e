package io.credential.architecture.planted.auditlog;

import io.credential.architecture.planted.cluster.SealsItsLease;

/** Breaks: the audit log uses seal and storage. */
public record ElectsItsWriter(SealsItsLease lease) {}
