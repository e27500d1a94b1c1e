package io.credential.consumer.inspection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/** What a running application got from its starter. */
public final class Inspection {

    private static final String OURS = "io.credential.";

    private Inspection() {}

    /** Returns whether the class path has this class. */
    public static boolean hasClass(String name) {
        return ClassUtils.isPresent(name, Inspection.class.getClassLoader());
    }

    /** Returns the names of the beans that are instances of our classes, apart from auto-configurations. */
    public static SortedSet<String> beans(ConfigurableApplicationContext application) {
        return Stream.of(application.getBeanDefinitionNames())
                .filter(name -> isOurs(application.getType(name)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isOurs(Class<?> type) {
        return type != null
                && type.getName().startsWith(OURS)
                && !type.getName().startsWith(OURS + "consumer.")
                && !type.getName().contains("Configuration");
    }

    /** Returns the tables of the SQLite database. */
    public static SortedSet<String> tables(DataSource database) {
        SortedSet<String> tables = new TreeSet<>();
        try (Connection connection = database.getConnection();
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery(
                                "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return tables;
    }

    /** Returns the names of our live threads. */
    public static SortedSet<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("credential-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
