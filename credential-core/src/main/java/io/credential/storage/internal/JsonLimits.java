package io.credential.storage.internal;

import tools.jackson.core.StreamReadConstraints;

/** Limits for JSON that comes from outside and is stored or sent. */
public final class JsonLimits {

    /** The maximum nesting depth of objects and arrays. */
    public static final int MAX_DEPTH = 500;

    /**
     * The limits of each parser of payloads. Numbers, strings and names have no limit besides that of the whole text:
     * they are never converted, so long ones cost no more than their length.
     */
    public static final StreamReadConstraints PARSER = StreamReadConstraints.builder()
            .maxNestingDepth(MAX_DEPTH)
            .maxNumberLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .build();

    private JsonLimits() {}
}
