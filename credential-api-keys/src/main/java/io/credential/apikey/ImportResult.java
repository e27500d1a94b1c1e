package io.credential.apikey;

import java.util.List;

/**
 * What an import has done.
 *
 * @param examined how many keys were read
 * @param imported how many were written; in a dry run, how many would be
 * @param present how many had been imported before, and were left as they are
 * @param refused how many were refused
 * @param refusals the first {@value #MAX_REFUSALS} refusals
 * @since 0.1.0
 */
public record ImportResult(long examined, long imported, long present, long refused, List<Refusal> refusals) {

    /** The greatest number of refusals that a result describes. */
    public static final int MAX_REFUSALS = 100;

    public ImportResult {
        refusals = List.copyOf(refusals);
    }

    /**
     * A key that was not imported.
     *
     * @param position which key of the import it is, from 1
     * @param reason why, and what to do; contains neither hash nor look-up id
     */
    public record Refusal(long position, String reason) {}
}
