package io.credential.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

/** What a logger says until this is closed, from INFO on unless told otherwise. */
public final class CapturedLog implements AutoCloseable {

    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final Logger logger;
    private final @Nullable Level before;

    private CapturedLog(String name) {
        this.logger = (Logger) LoggerFactory.getLogger(name);
        this.before = logger.getLevel();
        logger.setLevel(Level.INFO);
        appender.list = new CopyOnWriteArrayList<>(); // other threads log while a test reads
        appender.start();
        logger.addAppender(appender);
    }

    public static CapturedLog of(Class<?> type) {
        return of(type.getName());
    }

    public static CapturedLog of(String name) {
        return new CapturedLog(name);
    }

    /** Listens from another level on. */
    public CapturedLog level(Level level) {
        logger.setLevel(level);
        return this;
    }

    public List<ILoggingEvent> events() {
        return appender.list;
    }

    /** The messages, whatever their level. */
    public List<String> lines() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    public List<String> lines(Level level) {
        return events().stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(before);
    }
}
