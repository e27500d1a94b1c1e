package io.credential.spring.test.product;

import java.util.List;
import javax.sql.DataSource;

import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an application got. */
public final class Inspection {

    private Inspection() {}

    public static List<String> beans(ApplicationContext application) {
        return List.of(application.getBeanDefinitionNames()).stream()
                .filter(name -> name.startsWith("credential") && !name.contains("."))
                .toList();
    }

    public static List<String> tables(ApplicationContext application) {
        return new JdbcTemplate(application.getBean(DataSource.class))
                .queryForList(
                        "select name from sqlite_master where name like '\\_credential%' escape '\\'"
                                + " and type = 'table'",
                        String.class);
    }
}
