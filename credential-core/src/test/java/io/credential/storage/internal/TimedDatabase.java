package io.credential.storage.internal;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** A database whose limits expire when the test says so, and not with time. */
public final class TimedDatabase {

    private final AtomicLong nanos = new AtomicLong();
    private final DataSource dataSource;

    public TimedDatabase(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public CredentialDatabase database() {
        return CredentialDatabase.of(dataSource, nanos::get);
    }

    /** Called repeatedly, the clock passes every limit, whenever its time begins. */
    public void advance() {
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        Deadline.lookNow();
    }
}
