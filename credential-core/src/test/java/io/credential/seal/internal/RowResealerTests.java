package io.credential.seal.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.credential.seal.ResealResult;

import static org.assertj.core.api.Assertions.assertThat;

class RowResealerTests {

    @Test
    void resealAllWhenManyRowsThenBothPassesAreReported() {
        Rows rows = new Rows(20_000);

        assertThat(rows.resealAll()).isEqualTo(new ResealResult(20_000, 10_000));

        assertThat(rows.reports)
                .containsExactly(
                        "Checking 10000, 0", "Checking 20000, 0", "Resealing 10000, 5000", "Resealing 20000, 10000");
    }

    @Test
    void resealAllWhenFewRowsThenNothingIsReported() {
        Rows rows = new Rows(9_999);

        rows.resealAll();

        assertThat(rows.reports).isEmpty();
    }

    /** Numbers as rows, of which the odd ones are not current. */
    private static final class Rows extends RowResealer<String> {

        private final List<String> rows;
        private final Set<String> rewritten = new HashSet<>();
        private final List<String> reports = new ArrayList<>();

        Rows(int count) {
            rows = IntStream.range(0, count).mapToObj("%06d"::formatted).toList();
        }

        @Override
        protected List<String> rowsAfter(String id, int limit) {
            int from = id.isEmpty() ? 0 : Integer.parseInt(id) + 1;
            return rows.subList(from, Math.min(rows.size(), from + limit));
        }

        @Override
        protected Optional<String> find(String id) {
            return Optional.of(id);
        }

        @Override
        protected String id(String row) {
            return row;
        }

        @Override
        protected void requireReadable(String row) {}

        @Override
        protected boolean isCurrent(String row) {
            return Integer.parseInt(row) % 2 == 0;
        }

        @Override
        protected boolean rewrite(String row) {
            return rewritten.add(row);
        }

        @Override
        protected RuntimeException conflict(String id) {
            return new IllegalStateException(id);
        }

        @Override
        protected void report(String pass, int examined, int resealed) {
            reports.add(pass + " " + examined + ", " + resealed);
        }
    }
}
