package io.credential.architecture.planted.auditlog;

import io.credential.architecture.planted.internal.cluster.AuditsItsTerms;

/** Breaks: the audit log uses seal and storage. */
public record ElectsItsWriter(AuditsItsTerms lease) {}
