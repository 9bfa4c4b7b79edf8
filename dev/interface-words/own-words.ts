/** The words that no package has, in this order. */
export const ownWordNames = [
    "home",
    "check",
    "related",
    "deprecated",
    "feed",
    "moreResults",
    "inThisSection",
    "section",
    "allSections",
    "otherPages",
    "product",
    "more",
    "showMore",
    "example",
    "table",
    "details",
    "files",
    "task",
    "updatesAbout",
    "byKeys",
    "linkToSection",
] as const;

/** By language, with bars between. */
export const ownWords: Readonly<Record<string, string>> = {
    ar: "إلى البداية|نجاح|مواضيع ذات صلة|مهمل|RSS|مزيد من النتائج|في هذا القسم|القسم|كل الأقسام|صفحات أخرى|المنتج|المزيد|عرض المزيد|مثال|جدول|تفاصيل|ملفات|مهمة|عرض التحديثات حول|Ctrl+C|رابط إلى هذا القسم",
    cs: "Na začátek|Úspěch|Související témata|zastaralé|RSS|Další výsledky|V této sekci|Sekce|Všechny sekce|Ostatní stránky|Produkt|Více|Zobrazit více|Příklad|Tabulka|Podrobnosti|Soubory|Úkol|Zobrazit jen novinky o|Ctrl+C|Odkaz na tuto sekci",
    da: "Til forsiden|Udført|Relaterede emner|forældet|RSS|Flere resultater|I dette afsnit|Afsnit|Alle afsnit|Andre sider|Produkt|Mere|Vis mere|Eksempel|Tabel|Detaljer|Filer|Opgave|Vis kun nyheder om|Ctrl+C|Link til dette afsnit",
    de: "Zur Startseite|Erfolg|Verwandte Themen|veraltet|RSS|Weitere Ergebnisse|In diesem Abschnitt|Abschnitt|Alle Abschnitte|Andere Seiten|Produkt|Mehr|Mehr anzeigen|Beispiel|Tabelle|Einzelheiten|Dateien|Aufgabe|Nur Neuigkeiten zeigen über|Strg+C|Link zu diesem Abschnitt",
    es: "Ir al inicio|Correcto|Temas relacionados|obsoleto|RSS|Más resultados|En esta sección|Sección|Todas las secciones|Otras páginas|Producto|Más|Mostrar más|Ejemplo|Tabla|Detalles|Archivos|Tarea|Mostrar solo novedades sobre|Ctrl+C|Enlace a esta sección",
    fr: "Vers l’accueil|Succès|Sujets connexes|obsolète|RSS|Plus de résultats|Dans cette section|Section|Toutes les sections|Autres pages|Produit|Plus|Afficher plus|Exemple|Tableau|Détails|Fichiers|Tâche|Afficher seulement les nouveautés sur|Ctrl+C|Lien vers cette section",
    he: "אל ההתחלה|הצלחה|נושאים קשורים|הוצא משימוש|RSS|תוצאות נוספות|בחלק זה|חלק|כל החלקים|דפים אחרים|מוצר|עוד|הצג עוד|דוגמה|טבלה|פרטים|קבצים|משימה|הצג רק עדכונים על|Ctrl+C|קישור לחלק זה",
    hu: "A kezdőlapra|Siker|Kapcsolódó témák|elavult|RSS|További találatok|Ebben a szakaszban|Szakasz|Minden szakasz|Más oldalak|Termék|Több|Több megjelenítése|Példa|Táblázat|Részletek|Fájlok|Feladat|Csak a következő újdonságai|Ctrl+C|Hivatkozás erre a szakaszra",
    id: "Ke halaman awal|Berhasil|Topik terkait|usang|RSS|Hasil lainnya|Di bagian ini|Bagian|Semua bagian|Halaman lain|Produk|Lainnya|Tampilkan lebih banyak|Contoh|Tabel|Rincian|Berkas|Tugas|Tampilkan hanya kabar tentang|Ctrl+C|Tautan ke bagian ini",
    it: "Alla pagina iniziale|Operazione riuscita|Argomenti correlati|deprecato|RSS|Altri risultati|In questa sezione|Sezione|Tutte le sezioni|Altre pagine|Prodotto|Altro|Mostra altro|Esempio|Tabella|Dettagli|File|Attività|Mostra solo le novità su|Ctrl+C|Link a questa sezione",
    ja: "トップページへ|確認|関連トピック|非推奨|RSS|さらに結果を表示|このセクションの内容|セクション|すべてのセクション|その他のページ|製品|その他|もっと見る|例|表|詳細|ファイル|タスク|次の更新のみ表示|Ctrl+C|このセクションへのリンク",
    ko: "시작 페이지로|확인|관련 주제|지원 중단|RSS|결과 더 보기|이 섹션의 내용|섹션|모든 섹션|다른 페이지|제품|더 보기|자세히 보기|예시|표|세부 정보|파일|작업|다음 업데이트만 표시|Ctrl+C|이 섹션으로 가는 링크",
    nb: "Til forsiden|Fullført|Relaterte emner|utdatert|RSS|Flere resultater|I denne delen|Del|Alle deler|Andre sider|Produkt|Mer|Vis mer|Eksempel|Tabell|Detaljer|Filer|Oppgave|Vis bare nyheter om|Ctrl+C|Lenke til denne delen",
    nl: "Naar het begin|Gelukt|Verwante onderwerpen|verouderd|RSS|Meer resultaten|In dit onderdeel|Onderdeel|Alle onderdelen|Andere pagina’s|Product|Meer|Meer tonen|Voorbeeld|Tabel|Details|Bestanden|Taak|Alleen nieuws tonen over|Ctrl+C|Link naar dit onderdeel",
    pl: "Na początek|Sukces|Powiązane tematy|przestarzałe|RSS|Więcej wyników|W tej sekcji|Sekcja|Wszystkie sekcje|Inne strony|Produkt|Więcej|Pokaż więcej|Przykład|Tabela|Szczegóły|Pliki|Zadanie|Pokaż tylko nowości o|Ctrl+C|Odnośnik do tej sekcji",
    pt: "Ir para o início|Sucesso|Tópicos relacionados|obsoleto|RSS|Mais resultados|Nesta seção|Seção|Todas as seções|Outras páginas|Produto|Mais|Mostrar mais|Exemplo|Tabela|Detalhes|Arquivos|Tarefa|Mostrar apenas novidades sobre|Ctrl+C|Link para esta seção",
    ru: "На главную|Готово|Связанные темы|устарело|RSS|Ещё результаты|В этом разделе|Раздел|Все разделы|Другие страницы|Продукт|Ещё|Показать ещё|Пример|Таблица|Подробности|Файлы|Задача|Показать только новости о|Ctrl+C|Ссылка на этот раздел",
    sv: "Till startsidan|Klart|Relaterade ämnen|föråldrad|RSS|Fler resultat|I det här avsnittet|Avsnitt|Alla avsnitt|Andra sidor|Produkt|Mer|Visa mer|Exempel|Tabell|Detaljer|Filer|Uppgift|Visa bara nyheter om|Ctrl+C|Länk till det här avsnittet",
    tr: "Başlangıca git|Başarılı|İlgili konular|kullanımdan kalktı|RSS|Daha fazla sonuç|Bu bölümde|Bölüm|Tüm bölümler|Diğer sayfalar|Ürün|Daha fazla|Daha fazla göster|Örnek|Tablo|Ayrıntılar|Dosyalar|Görev|Yalnızca şu yenilikleri göster|Ctrl+C|Bu bölüme bağlantı",
    uk: "На головну|Готово|Пов’язані теми|застаріло|RSS|Більше результатів|У цьому розділі|Розділ|Усі розділи|Інші сторінки|Продукт|Більше|Показати більше|Приклад|Таблиця|Подробиці|Файли|Завдання|Показати лише новини про|Ctrl+C|Посилання на цей розділ",
    vi: "Về trang đầu|Thành công|Chủ đề liên quan|không còn dùng|RSS|Thêm kết quả|Trong phần này|Phần|Tất cả các phần|Trang khác|Sản phẩm|Thêm|Xem thêm|Ví dụ|Bảng|Chi tiết|Tệp|Công việc|Chỉ hiện cập nhật về|Ctrl+C|Liên kết đến phần này",
    "zh-CN":
        "返回首页|成功|相关主题|已弃用|RSS|更多结果|本节内容|章节|所有章节|其他页面|产品|更多|显示更多|示例|表格|详情|文件|任务|仅显示以下更新|Ctrl+C|本节链接",
    "zh-TW":
        "返回首頁|成功|相關主題|已棄用|RSS|更多結果|本節內容|章節|所有章節|其他頁面|產品|更多|顯示更多|範例|表格|詳細資訊|檔案|任務|僅顯示以下更新|Ctrl+C|本節連結",
};

/** Words that a package has in English only. */
export const missingWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    ar: { notLoaded: "تعذّر تحميل البحث." },
    cs: { version: "Verze" },
    da: { notLoaded: "Søgningen kunne ikke indlæses." },
    de: { notLoaded: "Die Suche konnte nicht geladen werden." },
    he: { version: "גרסה", info: "מידע", notLoaded: "לא ניתן לטעון את החיפוש." },
};
